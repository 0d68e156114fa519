import torch.distributed as dist

if rank == 0:
    dist.all_reduce(x, group=first_half)
