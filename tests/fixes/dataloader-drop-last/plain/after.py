from torch.utils.data import DataLoader

train = DataLoader(data, batch_size=4, shuffle=True, drop_last=True)
test = DataLoader(data, batch_size=4)
