import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

model = FSDP(net)
state = model.state_dict()
if rank == 0:
    torch.save(state, "a.pt")
    torch.save(ema.state_dict(), "b.pt")
