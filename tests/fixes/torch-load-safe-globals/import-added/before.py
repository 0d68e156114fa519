import torch

state = torch.load("run.pt")
