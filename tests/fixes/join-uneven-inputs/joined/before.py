from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(net)
with model.join():
    for x in loader:
        model(x).sum().backward()
