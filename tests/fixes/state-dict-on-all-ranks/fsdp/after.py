import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main(rank):
    model = FSDP(net)

    model_state = model.state_dict()
    if rank == 0:
        torch.save(model_state, "model.pt")
    dist.barrier()
