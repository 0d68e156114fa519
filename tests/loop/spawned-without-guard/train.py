import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29541")


def run(rank, size):
    dist.init_process_group("gloo", rank=rank, world_size=size)
    total = torch.ones(1)
    dist.all_reduce(total)
    print("rank", rank, "sees", total.item())
    dist.destroy_process_group()


mp.spawn(run, args=(2,), nprocs=2)
