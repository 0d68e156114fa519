from torch.utils.data import DataLoader

WORKERS = 0
a = DataLoader(data)
b = DataLoader(data, num_workers=0)
c = DataLoader(data, num_workers=WORKERS)
