import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint


class Shared(nn.Module):
    """One layer, used twice in a step."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        x = self.first(x)
        x = checkpoint(self.layer, x, use_reentrant=True)
        x = checkpoint(self.layer, x, use_reentrant=True)
        return x.square().mean()


def main():
    dist.init_process_group("gloo")
    model = DDP(Shared())
    for step in range(2):
        model(torch.randn(8, 4)).backward()
    print("rank", dist.get_rank(), "trained")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
