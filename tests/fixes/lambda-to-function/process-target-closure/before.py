import multiprocessing as mp
import sys


def main():
    greeting = "hello"
    ctx = mp.get_context("spawn")
    worker = ctx.Process(target=lambda: print(greeting, "from a worker", flush=True))
    worker.start()
    worker.join()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
