import multiprocessing as mp

p = mp.Process(target=print)
p.start()
