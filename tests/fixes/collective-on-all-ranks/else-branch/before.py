import torch.distributed as dist

if rank == 0:
    dist.broadcast(x, 0)
else:
    dist.broadcast(y, 0)
