from torch.utils.data.dataloader import DataLoader
loader = DataLoader(data, 8, True, None, None, 4)
