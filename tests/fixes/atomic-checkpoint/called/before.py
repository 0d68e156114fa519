import torch

torch.save(x, next_path())
