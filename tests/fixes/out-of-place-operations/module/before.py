import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        h = self.fc(x)
        h += x * 2
        h *= x + 1
        h.relu_()
        return self.act(h)
