import torch

for p in model.parameters():
    with torch.no_grad():
        p.sub_(0.1 * p.grad)
