from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(data, model):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    for epoch in range(3):
        # one pass
        for batch in loader:
            model(batch)
