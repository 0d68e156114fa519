import multiprocessing as mp
import sys

# CUDA needs spawn
mp.set_start_method("spawn")


def work(rank):
    print("rank", rank, flush=True)


def main():
    worker = mp.Process(target=work, args=(0,))
    worker.start()
    worker.join()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
