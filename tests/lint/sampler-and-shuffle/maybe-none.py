from torch.utils.data import DataLoader, DistributedSampler

sampler = DistributedSampler(data) if distributed else None
loader = DataLoader(data, shuffle=True, sampler=sampler)
