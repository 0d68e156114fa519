from torch.utils.data import DataLoader, DistributedSampler

sampler = DistributedSampler(data)
loader = DataLoader(data, shuffle=True, sampler=sampler)  # here
