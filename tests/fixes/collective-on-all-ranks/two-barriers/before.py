import torch.distributed as dist


def fetch(rank):
    if rank != 0:
        dist.barrier()
    download()
    if rank == 0:
        dist.barrier()
