from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(net, find_unused_parameters=True)
