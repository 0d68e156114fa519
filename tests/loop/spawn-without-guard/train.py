"""Count tokens of several shards, each in its own process."""

import multiprocessing as mp
import random


def count(shard, results):
    rows = random.Random(shard).choices(range(100), k=1000)
    results.put((shard, sum(rows)))


ctx = mp.get_context("spawn")
results = ctx.Queue()
workers = [ctx.Process(target=count, args=(shard, results)) for shard in range(2)]
for worker in workers:
    worker.start()
totals = dict(results.get(timeout=30) for _ in workers)
for worker in workers:
    worker.join()
print("totals", sorted(totals.items()))
