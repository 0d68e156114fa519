import torch.utils.data as tud
from tqdm import tqdm

sampler = tud.DistributedSampler(data, shuffle=True)
loader = tud.DataLoader(data, sampler=sampler)
for epoch in range(3):
	sampler.set_epoch(epoch)
	for i, batch in enumerate(tqdm(loader)):
		step(batch)
