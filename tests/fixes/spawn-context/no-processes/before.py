import multiprocessing as mp

print(mp.cpu_count())
