import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=True)


def main():
    model = Net()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    print("loss", loss.item())


if __name__ == "__main__":
    main()
