import torch
import torch.distributed as dist


def save(model, rank):
    if rank == 0:
        # only one writes
        torch.save(model.state_dict(), "last.pt")
    dist.barrier()
    print("saved")
