import os
from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=count_workers())
b = DataLoader(*positional, num_workers=4)
