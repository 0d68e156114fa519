import torch

loader = torch.utils.data.DataLoader(data, 4)
