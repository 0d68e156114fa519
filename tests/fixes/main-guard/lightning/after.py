import lightning as L
import torch
from torch.utils.data import DataLoader


class Data(L.LightningDataModule):
    def __init__(self, workers: int = 4):
        super().__init__()
        self.workers = workers

    def train_dataloader(self):
        return DataLoader(torch.arange(8), num_workers=self.workers)


class Model(L.LightningModule):
    def training_step(self, batch, index):
        return batch.float().sum()


if __name__ == "__main__":
    L.seed_everything(1)
    trainer = L.Trainer(accelerator="gpu", devices=2, strategy="ddp_spawn")
    trainer.fit(Model(), datamodule=Data())
    trainer.save_checkpoint("last.ckpt")
