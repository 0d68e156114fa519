import torch

model = torch.nn.parallel.DistributedDataParallel(net)
model.module.load_state_dict(torch.load("model.pt"))
