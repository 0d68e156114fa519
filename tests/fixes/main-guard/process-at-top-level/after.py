import multiprocessing as mp
import sys


def work(queue, n):
    queue.put(n * n)


if __name__ == "__main__":
    ctx = mp.get_context("spawn")

    queue = ctx.SimpleQueue()
    worker = ctx.Process(target=work, args=(queue, 7))
    worker.start()
    worker.join()
    print("exit code", worker.exitcode)
    if worker.exitcode == 0:
        print("answer", queue.get())
    sys.exit(worker.exitcode)
