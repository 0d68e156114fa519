import torch
import torch.distributed as dist

if rank == 0:
    x = torch.ones(1)
    dist.broadcast(x, 0)
