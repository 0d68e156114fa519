"""Train."""

import torch
from torch.utils.data import DataLoader

torch.multiprocessing.set_sharing_strategy("file_system")

loader = DataLoader(data, num_workers=4)
