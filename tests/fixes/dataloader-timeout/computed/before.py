from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=2, timeout=args.timeout)
