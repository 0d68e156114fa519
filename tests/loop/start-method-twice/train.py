"""Load and train with spawned workers."""

import multiprocessing as mp

mp.set_start_method("spawn")


def load(shard, results):
    results.put(shard * 10)


def train():
    mp.set_start_method("spawn")
    results = mp.Queue()
    workers = [mp.Process(target=load, args=(shard, results)) for shard in range(2)]
    for worker in workers:
        worker.start()
    print("rows", sorted(results.get(timeout=30) for _ in workers))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    train()
