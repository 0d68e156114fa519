import torch.distributed as dist

if rank == 0:
    dist.barrier()
else:
    dist.barrier()


def first(rank):
    if rank != 0:
        dist.barrier()
    load()
    if rank == 0:
        dist.barrier()


if dist.get_world_size() > 1:
    dist.barrier()
