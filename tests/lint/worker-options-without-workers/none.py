from torch.utils.data import DataLoader

loader = DataLoader(data, persistent_workers=True)  # here
