import torch
loaders = {
	x: torch.utils.data.DataLoader(sets[x], batch_size=4,
		shuffle=True, num_workers=4)
	for x in ['train', 'val']
}
