import lightning as L
from torch.utils.data import DataLoader


class Data(L.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(self.train, batch_size=8, drop_last=False)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=8)
