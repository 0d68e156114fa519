import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(net)
for x in loader:
    loss = model(x).sum()
    loss.backward()
    dist.all_reduce(loss)
