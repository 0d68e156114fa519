import torch

torch.save(x, "a.pt")
