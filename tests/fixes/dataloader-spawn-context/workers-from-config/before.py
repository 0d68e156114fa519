from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=config["training"].get("num_workers", 0))
b = DataLoader(data, num_workers=int(opt.workers))
c = DataLoader(data, num_workers=cfg["data"]["workers"])
