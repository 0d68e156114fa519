import torch.nn as nn


class Net(nn.Module):
    def forward(self, x):
        steps = 0
        steps += 1
        self.calls += 1
        x[0] += 2
        return x
