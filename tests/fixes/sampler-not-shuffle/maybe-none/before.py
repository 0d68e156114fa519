from torch.utils.data import DataLoader


def make(data, sampler):
    return DataLoader(data, sampler=sampler, shuffle=True)
