from multiprocessing import Pool


def run_task(x):
    return x + 1


def main():
    with Pool(2) as pool:
        return pool.map(run_task, [1, 2])
