from torch.utils.data import DataLoader


def make(data, workers):
    return DataLoader(data, num_workers=workers, persistent_workers=True, prefetch_factor=4, timeout=30)
