import numpy as np
import torch
from torch import nn

model = nn.Linear(4, 1)
best = np.float64(0.25)
torch.save({"model": model.state_dict(), "best": best}, "best.pt")

checkpoint = torch.load("best.pt")
model.load_state_dict(checkpoint["model"])
print("best so far", checkpoint["best"])
