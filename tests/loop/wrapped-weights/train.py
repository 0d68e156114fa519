import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(4, 1))
    model(torch.randn(8, 4)).mean().backward()
    if rank == 0:
        torch.save({"model": model.state_dict()}, "last.pt")
    dist.barrier()

    plain = nn.Linear(4, 1)
    checkpoint = torch.load("last.pt", map_location="cpu")
    plain.load_state_dict(checkpoint["model"])
    print("rank", rank, "evaluates", plain(torch.ones(1, 4)).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
