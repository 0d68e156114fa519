import torch.multiprocessing as mp
from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=2, multiprocessing_context="fork")
b = DataLoader(data, num_workers=2, multiprocessing_context=mp.get_context("fork"))
c = DataLoader(data, num_workers=2, multiprocessing_context=None, persistent_workers=True)
