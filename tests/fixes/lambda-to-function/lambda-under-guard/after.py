import functools
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def _scale(factor, n):
    return n * factor


def run_task(a, b=2):
    return a + b


if __name__ == "__main__":
    factor = 3
    scale = functools.partial(_scale, factor)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        print(list(pool.map(scale, range(3))))
        print(pool.submit(run_task, 40).result())
