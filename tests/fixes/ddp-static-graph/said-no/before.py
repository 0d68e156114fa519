import torch

model = torch.nn.parallel.DistributedDataParallel(net, static_graph=False)
