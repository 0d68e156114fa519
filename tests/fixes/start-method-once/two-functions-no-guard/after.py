import torch.multiprocessing as mp


def train():
    mp.set_start_method("spawn")
    run()


def evaluate():
    mp.set_start_method("spawn", force=True)
    run()
