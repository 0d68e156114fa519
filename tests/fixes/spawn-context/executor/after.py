import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def main():
    with ProcessPoolExecutor(4, mp_context=multiprocessing.get_context("spawn")) as pool:
        pool.map(work, range(3))
