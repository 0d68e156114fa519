import torch

a = torch.load("a.pt", "cpu")
b = torch.load("a.pt", map_location=device)
c = torch.load("a.pt", **options)
