from multiprocessing import Pool

def main():
    with Pool(2) as pool:
        return pool.map(lambda x: x + 1, [1, 2])
