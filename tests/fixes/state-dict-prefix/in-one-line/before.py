import torch

model.load_state_dict(torch.load("model.pt"), strict=True)
