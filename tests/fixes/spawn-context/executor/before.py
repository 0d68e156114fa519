from concurrent.futures import ProcessPoolExecutor


def main():
    with ProcessPoolExecutor(4) as pool:
        pool.map(work, range(3))
