import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

model = FSDP(net)
if rank == 0:
    torch.save(model.state_dict(), "a.pt")  # here
