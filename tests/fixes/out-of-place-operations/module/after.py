import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=False)
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        h = self.fc(x)
        h = h + (x * 2)
        h = h * (x + 1)
        h = h.relu()
        return self.act(h)
