"""Feed a spawned reader from a queue."""

import multiprocessing as mp


def read(queue, done):
    total = 0
    while (row := queue.get()) is not None:
        total += row
    done.put(total)


def main():
    ctx = mp.get_context("spawn")
    queue = mp.Queue()
    done = mp.Queue()
    reader = ctx.Process(target=read, args=(queue, done))
    reader.start()
    for row in [1, 2, 3, None]:
        queue.put(row)
    print("total", done.get(timeout=30))
    reader.join()


if __name__ == "__main__":
    main()
