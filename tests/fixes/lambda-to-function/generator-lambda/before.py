from multiprocessing import Pool

with Pool(2) as pool:
    pool.map(lambda x: (yield x), [1])
