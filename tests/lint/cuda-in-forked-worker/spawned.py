import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3).cuda()


if __name__ == "__main__":
    model = torch.nn.Linear(3, 1).cuda()
    for x in DataLoader(Rows(), num_workers=2, multiprocessing_context="spawn"):
        model(x)
