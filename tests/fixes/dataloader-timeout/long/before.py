from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=2, timeout=900)
b = DataLoader(data, num_workers=2, timeout=0)
