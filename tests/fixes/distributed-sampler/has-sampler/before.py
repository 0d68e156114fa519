import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader

dist.init_process_group("gloo")
data = Pictures("a")
loader = DataLoader(data, batch_sampler=Buckets(data), num_workers=2)
model = DDP(net)
