"""Tokenize shards in parallel."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

SHARDS = ["a b", "c d e", "f"]


def count(text):
    return len(text.split())


def main():
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        print(list(pool.map(count, SHARDS)))


if __name__ == "__main__":
    main()
