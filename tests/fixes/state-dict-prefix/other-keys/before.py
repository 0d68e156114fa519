import torch

state = torch.load("model.pt")
model.load_state_dict(state)
