import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


def main():
    data = TensorDataset(torch.randn(17, 4), torch.randn(17, 1))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    print("trained")


if __name__ == "__main__":
    main()
