import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(8, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        batch, length, width = x.shape
        heads = self.project(x).view(batch, length, 2, 4).transpose(1, 2)
        merged = heads.transpose(1, 2).transpose(2, 3)
        merged = merged.view(batch, length, width)
        return self.out(merged)


def main():
    model = Heads()
    loss = model(torch.randn(2, 5, 8)).mean()
    loss.backward()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
