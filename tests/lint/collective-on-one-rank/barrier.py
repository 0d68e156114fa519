import torch
import torch.distributed as dist


def save(model, rank):
    if rank == 0:
        torch.save(model.state_dict(), "a.pt")
        dist.barrier()  # here
