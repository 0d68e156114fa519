"""Fit a line on every rank and average the slopes."""

import multiprocessing as mp
import random

WORLD_SIZE = 2


def train(rank, results):
    noise = random.Random(rank)
    points = [(x, 3 * x + noise.random()) for x in range(1, 100)]
    slope = sum(x * y for x, y in points) / sum(x * x for x, _ in points)
    results.put((rank, slope))


if __name__ == "__main__":
    context = mp.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=train, args=(rank, results)) for rank in range(WORLD_SIZE)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        if worker.exitcode != 0:
            raise SystemExit(f"{worker.name} failed with exit code {worker.exitcode}")
    slopes = [results.get()[1] for _ in workers]
    print(f"trained on {WORLD_SIZE} ranks, slope {sum(slopes) / WORLD_SIZE:.2f}")
