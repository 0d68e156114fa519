from torch.utils.data import DataLoader

torch = load("torch.json")
loader = DataLoader(data, num_workers=4)
