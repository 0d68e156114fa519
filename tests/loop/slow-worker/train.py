import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        time.sleep(3)
        return torch.tensor([float(index)])


def make_loader():
    return DataLoader(Slow(), batch_size=2, num_workers=1, timeout=2)


def main():
    for batch in make_loader():
        print(batch.sum().item())


if __name__ == "__main__":
    main()
