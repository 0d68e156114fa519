from torch.utils.data import DataLoader, DistributedSampler

sampler = DistributedSampler(data)
loader = DataLoader(data, sampler=sampler)
for epoch in range(3):  # here
    for batch in loader:
        step(batch)
