from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

if __name__ == "__main__":
    factor = 3
    scale = lambda n: n * factor
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        print(list(pool.map(scale, range(3))))
        print(pool.submit(lambda a, b=2: a + b, 40).result())
