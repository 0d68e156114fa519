import torch

y = x.t().view(torch.uint8)
