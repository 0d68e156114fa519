from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(net)
z = model.encode(x)
