import torch

a = torch.load("a.pt", map_location="cpu")
b = torch.load("b.pt", weights_only=True)
