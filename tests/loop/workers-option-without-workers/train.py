import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

import argparse


def make_loader(workers):
    data = TensorDataset(torch.randn(16, 4), torch.randn(16, 1))
    return DataLoader(
        data,
        batch_size=4,
        num_workers=workers,
        persistent_workers=True,
        prefetch_factor=4,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=0)
    args = parser.parse_args()
    model = nn.Linear(4, 1)
    for x, y in make_loader(args.workers):
        nn.functional.mse_loss(model(x), y).backward()
    print("trained")


if __name__ == "__main__":
    main()
