import torch
import torch.multiprocessing as mp
from model import Net

mp.set_start_method("forkserver")


def train(rank):
    """Train one rank."""
    torch.multiprocessing.set_start_method('spawn')  # CUDA in workers
    Net().cuda(rank)


def evaluate():
    # again, to be sure
    mp.set_start_method('spawn')


if __name__ == '__main__':
    args = parse()
    mp.spawn(train, nprocs=args.gpus)
