from torch.utils.checkpoint import checkpoint

x = checkpoint(layer, x, use_reentrant=False)
y = checkpoint(layer, x, use_reentrant=flag)
