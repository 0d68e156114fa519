import torch
import torch.multiprocessing as mp
from model import Net


def train(rank):
    """Train one rank."""
    Net().cuda(rank)


def evaluate():
    pass


if __name__ == '__main__':
    # again, to be sure
    mp.set_start_method('spawn', force=True)
    args = parse()
    mp.spawn(train, nprocs=args.gpus)
