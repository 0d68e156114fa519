import torch
from torch.utils.data import DataLoader

from data import Images


def main():
    train = DataLoader(Images("train"), batch_size=64, shuffle=True, num_workers=4, multiprocessing_context="spawn")
    val = torch.utils.data.DataLoader(Images("val"), batch_size=64)
    for x in train:
        print(x.shape)


if __name__ == "__main__":
    main()
