import multiprocessing as mp
import sys

ctx = mp.get_context("spawn")


def work(queue, n):
    queue.put(n * n)


queue = ctx.SimpleQueue()
worker = ctx.Process(target=work, args=(queue, 7))
worker.start()
worker.join()
print("exit code", worker.exitcode)
if worker.exitcode == 0:
    print("answer", queue.get())
sys.exit(worker.exitcode)
