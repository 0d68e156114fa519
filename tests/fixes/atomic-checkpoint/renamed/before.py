import os

import torch

torch.save(x, "a.tmp")
os.replace("a.tmp", "a.pt")
