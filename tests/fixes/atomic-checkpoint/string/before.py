import torch

for step in range(3):
    # keep it
    torch.save(model.state_dict(), "last.pt")
