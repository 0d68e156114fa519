from torch.nn.parallel import DistributedDataParallel

ddp = DistributedDataParallel(net)

with ddp.join():
    for x in loader:
        ddp(x).sum().backward()
