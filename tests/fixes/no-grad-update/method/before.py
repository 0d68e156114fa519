import torch

for p in model.parameters():
    p.sub_(0.1 * p.grad)
