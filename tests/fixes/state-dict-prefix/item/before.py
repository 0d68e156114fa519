import torch

checkpoint = torch.load("model.pt")
optimizer.load_state_dict(checkpoint['optimizer'])
# and the weights
model.load_state_dict(checkpoint['model'])
