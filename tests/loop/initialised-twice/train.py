import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup():
    dist.init_process_group("gloo")
    return dist.get_rank()


def train(rank):
    setup()
    model = DDP(nn.Linear(4, 1))
    model(torch.randn(8, 4)).mean().backward()
    print("rank", rank, "trained")


def main():
    rank = setup()
    train(rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
