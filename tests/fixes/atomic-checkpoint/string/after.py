import os
import torch

for step in range(3):
    # keep it
    tmp_path = f"last.pt.{os.getpid()}.tmp"
    torch.save(model.state_dict(), tmp_path)
    os.replace(tmp_path, "last.pt")
