from torch.utils.data import DataLoader

loader = DataLoader(data, num_workers=2, persistent_workers=True, prefetch_factor=4)
