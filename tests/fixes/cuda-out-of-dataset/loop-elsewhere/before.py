import torch
from torch.utils.data import Dataset


class Pictures(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3).cuda()
