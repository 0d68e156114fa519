import torch

state = torch.load("model.pt", map_location="cpu")
model.load_state_dict(torch.load(path, weights_only=True, map_location="cpu"))
