import torch
from os import path, makedirs

makedirs(path.dirname(f"{out}/{step}.pt"), exist_ok=True)
torch.save(x, f"{out}/{step}.pt")
