import multiprocessing as mp

a = mp.get_context("spawn")
b = mp.get_context("fork")
queue = a.Queue()
