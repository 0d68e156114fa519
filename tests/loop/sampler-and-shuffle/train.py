import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
from torch.utils.data import WeightedRandomSampler


def make_loader():
    data = TensorDataset(torch.randn(16, 4), torch.randn(16, 1))
    sampler = WeightedRandomSampler(torch.ones(16), 16)
    return DataLoader(data, batch_size=4, shuffle=True, sampler=sampler)


def main():
    model = nn.Linear(4, 1)
    for x, y in make_loader():
        nn.functional.mse_loss(model(x), y).backward()
    print("trained")


if __name__ == "__main__":
    main()
