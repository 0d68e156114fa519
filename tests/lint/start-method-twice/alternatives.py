import multiprocessing as mp


def train():
    mp.set_start_method("spawn")


def test():
    mp.set_start_method("fork")
