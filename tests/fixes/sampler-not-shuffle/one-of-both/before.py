from torch.utils.data import DataLoader

a = DataLoader(data, shuffle=True)
b = DataLoader(data, sampler=None, shuffle=True)
c = DataLoader(data, sampler=s, shuffle=False)
