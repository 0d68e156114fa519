import torch

model = torch.nn.parallel.DistributedDataParallel(net)
model.load_state_dict(torch.load("model.pt"))
