import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main(rank):
    model = FSDP(net)

    if rank == 0:
        torch.save(model.state_dict(), "model.pt")
    dist.barrier()
