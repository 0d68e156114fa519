import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

model = FSDP(net)
state = model.state_dict()
if rank == 0:
    torch.save(state, "model.pt")
