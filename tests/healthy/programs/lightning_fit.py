"""A Lightning run with its tables, warnings and progress bar."""

import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(16, 1)

    def training_step(self, batch, index):
        loss = self.layer(batch[0]).square().mean()
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, index):
        self.log("val_loss", self.layer(batch[0]).square().mean(), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    data = TensorDataset(torch.randn(1600, 16))
    trainer = L.Trainer(max_epochs=3, accelerator="cpu", devices=2, strategy=sys.argv[1], log_every_n_steps=1)
    trainer.progress_bar_callback._refresh_rate = 1
    trainer.fit(Net(), DataLoader(data, batch_size=4), DataLoader(data, batch_size=16))
