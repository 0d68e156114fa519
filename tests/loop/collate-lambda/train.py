import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


data = TensorDataset(torch.randn(16, 4), torch.randn(16, 1))
collate = lambda rows: (torch.stack([x for x, _ in rows]), torch.stack([y for _, y in rows]))


def main():
    loader = DataLoader(data, batch_size=4, num_workers=2, collate_fn=collate, multiprocessing_context="spawn")
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print("trained")


if __name__ == "__main__":
    main()
