import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __getitem__(self, index):
        x = torch.load(self.paths[index]).cuda()
        return x.to("cuda"), torch.tensor(index, device="cuda")


loader = DataLoader(Pictures(), num_workers=2)
for x, y in loader:
    loss = model(x, y)
