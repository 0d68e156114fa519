import torch

a = torch.load("a.pt", map_location="cpu", weights_only=False)
b = torch.load("b.pt", weights_only=False)
