import torch
from os import path

torch.save(x, f"{out}/{step}.pt")
