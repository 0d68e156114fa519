"""Tokenise shards in a pool of fresh processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def tokenise(text):
    return [ord(letter) for letter in text]


texts = ["first shard", "second shard", "third"]
with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
    for tokens in pool.map(tokenise, texts):
        print(len(tokens), "tokens")
