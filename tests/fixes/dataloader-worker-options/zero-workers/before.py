from torch.utils.data import DataLoader

loader = DataLoader(
    data,
    num_workers=0,
    timeout=60,
    pin_memory=True,
)
