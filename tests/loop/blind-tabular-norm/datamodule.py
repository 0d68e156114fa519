import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class HousingDataModule(L.LightningDataModule):
    """Synthetic house prices: 8 columns, 193 rows for training and 40 for validation."""

    def __init__(self, batch_size: int = 32, seed: int = 11):
        super().__init__()
        self.batch_size = batch_size
        self.seed = seed

    def setup(self, stage: str | None = None) -> None:
        generator = torch.Generator().manual_seed(self.seed)
        rows = torch.randn(233, 8, generator=generator)
        price = rows @ torch.randn(8, 1, generator=generator) + 0.1 * torch.randn(233, 1, generator=generator)
        self.train_set = TensorDataset(rows[:193], price[:193])
        self.val_set = TensorDataset(rows[193:], price[193:])

    def train_dataloader(self) -> DataLoader:
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self) -> DataLoader:
        return DataLoader(self.val_set, batch_size=self.batch_size)
