import multiprocessing as mp

ctx = mp.get_context("spawn")
ctx.set_start_method("spawn")
other.set_start_method("spawn")
