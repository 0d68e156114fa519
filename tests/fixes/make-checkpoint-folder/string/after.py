import os
import torch

os.makedirs("checkpoints", exist_ok=True)
torch.save(model.state_dict(), "checkpoints/last.pt")
