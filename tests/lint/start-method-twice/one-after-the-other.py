import multiprocessing as mp


def main():
    mp.set_start_method("spawn")
    load()
    mp.set_start_method("spawn")  # here
