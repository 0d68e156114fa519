import torch.multiprocessing as mp
from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=2, multiprocessing_context="spawn")
b = DataLoader(data, num_workers=2, multiprocessing_context="spawn")
c = DataLoader(data, num_workers=2, multiprocessing_context="spawn", persistent_workers=True)
