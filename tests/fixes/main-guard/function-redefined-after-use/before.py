from multiprocessing import Pool

def work(x):
    return x + 1

print(Pool(2).map(work, [1, 2]))

def work(x):
    return x + 2

print(Pool(2).map(work, [1, 2]))
