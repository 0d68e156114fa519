import torch
loaders = {
	x: torch.utils.data.DataLoader(sets[x], batch_size=4,
		shuffle=True, num_workers=4, multiprocessing_context='spawn')
	for x in ['train', 'val']
}
