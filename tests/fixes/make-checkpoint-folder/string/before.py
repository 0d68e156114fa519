import torch

torch.save(model.state_dict(), "checkpoints/last.pt")
