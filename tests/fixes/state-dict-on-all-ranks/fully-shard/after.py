import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

fully_shard(model)
model_state = model.state_dict()
# the last one
if dist.get_rank() == 0:
    torch.save({"model": model_state, "step": 3}, path)
