"""Score candidates in worker processes, each with a penalty for its size."""

import multiprocessing as mp

PENALTY = 0.5


def score(weight, penalty):
    return 3 * weight - penalty(weight)


def work(rank, weights, penalty, results):
    for weight in weights[rank::2]:
        results.put((score(weight, penalty), weight))


def main():
    weights = [1.0, 2.0, 4.0, 8.0]
    context = mp.get_context("spawn")
    results = context.Queue()
    workers = [
        context.Process(target=work, args=(rank, weights, lambda weight: PENALTY * weight**2, results))
        for rank in range(2)
    ]
    for worker in workers:
        worker.start()
    print("best", max(results.get() for _ in weights))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
