from torch.utils.data import DataLoader

a = DataLoader(data, num_workers=config["training"].get("num_workers", 0), multiprocessing_context="spawn" if config["training"].get("num_workers", 0) > 0 else None)
b = DataLoader(data, num_workers=int(opt.workers), multiprocessing_context="spawn" if int(opt.workers) > 0 else None)
c = DataLoader(data, num_workers=cfg["data"]["workers"], multiprocessing_context="spawn" if cfg["data"]["workers"] > 0 else None)
