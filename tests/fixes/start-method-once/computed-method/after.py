import sys
import torch.multiprocessing as mp


def setup(args):
    mp.set_start_method(args.start_method)


def train(args):
    setup(args)
    mp.set_start_method(args.start_method, force=True)


if sys.platform == "darwin":
    mp.set_start_method("spawn", force=True)
