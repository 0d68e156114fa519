from torch.utils.data import DataLoader


def make(data, workers):
    return DataLoader(data, num_workers=workers, persistent_workers=workers > 0, prefetch_factor=4 if workers > 0 else None, timeout=30 if workers > 0 else 0)
