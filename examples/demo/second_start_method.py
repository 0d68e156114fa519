"""Sum shards in worker processes; both the loader and the trainer choose how processes start."""

import multiprocessing as mp


def total(shard):
    return sum(range(shard * 100, shard * 100 + 100))


def load(shards):
    mp.set_start_method("spawn")
    with mp.Pool(2) as pool:
        return pool.map(total, range(shards))


def main():
    mp.set_start_method("spawn")
    print("sum", sum(load(4)))


if __name__ == "__main__":
    main()
