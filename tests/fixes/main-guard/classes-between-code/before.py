import argparse
import random

import torch
import torch.nn as nn
import torch.utils.data
import torchvision.datasets as dset

parser = argparse.ArgumentParser()
parser.add_argument('--workers', type=int, default=2)
parser.add_argument('--seed', type=int)
parser.add_argument('--nz', type=int, default=100)

opt = parser.parse_args()
print(opt)

if opt.seed is None:
    opt.seed = random.randint(1, 10000)
torch.manual_seed(opt.seed)

dataset = dset.FakeData()
assert dataset
dataloader = torch.utils.data.DataLoader(dataset, batch_size=8,
                                         shuffle=True, num_workers=int(opt.workers))
nz = int(opt.nz)

# generator
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(nz, 1)

net = Net()
print(net)

for i, data in enumerate(dataloader, 0):
    print('[%d/%d] %.4f'
          % (i, len(dataloader),
             net(data).item()))
