from torch.utils.data import DataLoader


def make(data, n):
    return DataLoader(data, num_workers=n, persistent_workers=n > 0, prefetch_factor=4 if n > 0 else None)
