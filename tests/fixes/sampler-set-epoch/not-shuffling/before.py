from torch.utils.data import DataLoader, DistributedSampler

sampler = DistributedSampler(data, shuffle=False)
loader = DataLoader(data, sampler=sampler)
for epoch in range(3):
    for batch in loader:
        step(batch)
