import torch
from torch.utils.data import DataLoader


def counted(data):
    seen = 0

    def collate(rows):
        nonlocal seen
        seen += len(rows)
        return torch.stack(rows)

    return DataLoader(data, num_workers=2, collate_fn=collate)


def rebound(data, size):
    collate = DataLoader(data, num_workers=2, collate_fn=lambda rows: rows[:size])
    size = 4
    return collate


def later(data):
    loader = DataLoader(data, num_workers=2, collate_fn=lambda rows: rows[:limit])
    limit = 4
    return loader


class Model(Base):
    def train_dataloader(self):
        return DataLoader(self.data, num_workers=2, collate_fn=lambda rows: super().collate(rows))

    def val_dataloader(self):
        return DataLoader(self.data, num_workers=2, collate_fn=lambda rows: self.__pad(rows))
