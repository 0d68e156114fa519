from torch.nn.parallel import DistributedDataParallel

ddp = DistributedDataParallel(net)

for x in loader:
    ddp(x).sum().backward()
