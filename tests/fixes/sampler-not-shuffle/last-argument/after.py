from torch.utils.data import DataLoader, DistributedSampler

loader = DataLoader(
    data,
    sampler=DistributedSampler(data),
)
