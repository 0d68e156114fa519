import torch
from accelerate import Accelerator
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(4, 1)
        self.spare = nn.Linear(4, 1)

    def forward(self, x):
        return self.used(x)


def main():
    accelerator = Accelerator(cpu=True)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = accelerator.prepare(model, optimizer)
    for step in range(3):
        optimizer.zero_grad()
        accelerator.backward(model(torch.randn(8, 4)).square().mean())
        optimizer.step()
    accelerator.print("trained on", accelerator.num_processes)
    accelerator.end_training()


if __name__ == "__main__":
    main()
