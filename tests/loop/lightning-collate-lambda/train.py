import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

collate = lambda rows: torch.stack([row[0] for row in rows])


class Data(L.LightningDataModule):
    def train_dataloader(self):
        data = TensorDataset(torch.randn(16, 4))
        return DataLoader(data, batch_size=4, num_workers=1, collate_fn=collate, multiprocessing_context="spawn")


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    trainer = L.Trainer(
        accelerator="cpu", devices=1, max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False
    )
    trainer.fit(Net(), Data())
    print("trained")


if __name__ == "__main__":
    main()
