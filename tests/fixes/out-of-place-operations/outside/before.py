import torch

total = torch.zeros(1)
total += 3.0
total.add_(1)
