import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

fully_shard(model)
# the last one
if dist.get_rank() == 0:
    torch.save({"model": model.state_dict(), "step": 3}, path)
