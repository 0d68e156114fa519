import torch

a = torch.load("a.pt", weights_only=False)
