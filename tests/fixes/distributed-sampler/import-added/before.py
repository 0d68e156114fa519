import torch
import torch.distributed as dist

dist.init_process_group("gloo")
train_set = Pictures("a")
val_set = Pictures("b")
train = torch.utils.data.DataLoader(train_set, shuffle=True, num_workers=2)
val = torch.utils.data.DataLoader(val_set)
model = torch.nn.parallel.DistributedDataParallel(net)
