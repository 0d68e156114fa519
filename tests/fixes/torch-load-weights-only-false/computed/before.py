import torch

a = torch.load("a.pt", weights_only=safe)
b = torch.load("a.pt", **options)
