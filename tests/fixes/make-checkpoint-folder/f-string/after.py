import torch
from os import path, makedirs

makedirs(path.dirname(f"{out}/{step}.pt") or ".", exist_ok=True)
torch.save(x, f"{out}/{step}.pt")
