import functools
import multiprocessing as mp
import sys


def run_process(greeting):
    return print(greeting, "from a worker", flush=True)


def main():
    greeting = "hello"
    ctx = mp.get_context("spawn")
    worker = ctx.Process(target=functools.partial(run_process, greeting))
    worker.start()
    worker.join()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
