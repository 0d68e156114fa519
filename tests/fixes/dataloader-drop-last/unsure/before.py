from torch.utils.data import DataLoader

first = DataLoader(a, batch_size=4)
second = DataLoader(b, batch_size=4)
train = DataLoader(c, batch_sampler=sampler)
