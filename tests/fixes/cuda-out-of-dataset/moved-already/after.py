import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self):
        self.mean = torch.zeros(3)

    def __getitem__(self, index):
        return self.mean + index


loader = DataLoader(Pictures(), num_workers=2)
for x in loader:
    x = x.to(device)
    model(x)
