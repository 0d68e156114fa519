import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def main():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0)
    loader = DataLoader(TensorDataset(torch.randn(16, 4)), batch_size=4)
    for (x,) in loader:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
    print("trained")


if __name__ == "__main__":
    main()
