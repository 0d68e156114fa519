import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def main():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0)
    for (x,) in DataLoader(TensorDataset(torch.randn(16, 4)), batch_size=4):
        loss = model(x).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    print("trained")


if __name__ == "__main__":
    main()
