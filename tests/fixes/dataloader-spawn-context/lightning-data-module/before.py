import os

import lightning as L
from torch.utils.data import DataLoader, random_split


class MNISTData(L.LightningDataModule):
    def __init__(self, num_workers: int = 4):
        super().__init__()
        self.num_workers = num_workers

    def train_dataloader(self) -> DataLoader:
        return DataLoader(self.train, batch_size=32, num_workers=self.num_workers, shuffle=True)

    def val_dataloader(self) -> DataLoader:
        return DataLoader(self.val, batch_size=32, num_workers=min(8, os.cpu_count()))
