from torch.utils.data import DataLoader

data = Pictures("a")
loader = DataLoader(data, shuffle=True)
