from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=n, persistent_workers=True)
b = DataLoader(data, persistent_workers=True, **options)
c = DataLoader(data, persistent_workers=flag)
d = DataLoader(data, num_workers=4, prefetch_factor=2)
