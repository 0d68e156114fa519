import multiprocessing as mp

p = mp.get_context("fork").Process(target=print)
p.start()
