import torch

y = x.transpose(0, 1).view(-1)
z = x.view(2, 3)
