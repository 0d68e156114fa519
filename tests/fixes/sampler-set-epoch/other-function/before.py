from torch.utils.data import DataLoader, DistributedSampler


def make(data):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    return loader


def train(loader):
    for epoch in range(3):
        for batch in loader:
            step(batch)
