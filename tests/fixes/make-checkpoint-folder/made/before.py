import os

import torch

os.makedirs("checkpoints", exist_ok=True)
torch.save(x, "checkpoints/a.pt")
