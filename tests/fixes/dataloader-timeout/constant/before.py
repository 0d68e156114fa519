from torch.utils.data import DataLoader

TIMEOUT = 30
loader = DataLoader(data, num_workers=2, timeout=TIMEOUT)
