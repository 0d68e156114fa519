import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 2)
        self.outer = nn.Linear(2, 4)

    def encode(self, x):
        return self.inner(x)

    def forward(self, x):
        return self.outer(self.encode(x))


def main():
    dist.init_process_group("gloo")
    model = DDP(Coder())
    x = torch.randn(8, 4)
    model(x).sub(x).square().mean().backward()
    with torch.no_grad():
        codes = model.encode(x)
    print("rank", dist.get_rank(), tuple(codes.shape))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
