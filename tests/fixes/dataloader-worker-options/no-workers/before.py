from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=4, persistent_workers=True, prefetch_factor=2)
