import functools
import lightning as L
from torch.utils.data import DataLoader


def _collate(self, rows):
	if self.pad:
		return pad(rows)

	return rows


def collate_fn(rows):
	return rows


class Data(L.LightningDataModule):

	def train_dataloader(self):
		collate = functools.partial(_collate, self)
		return DataLoader(self.rows, num_workers=4, collate_fn=collate)

	def val_dataloader(self):
		return DataLoader(self.rows, num_workers=4, collate_fn=collate_fn if self.fast else None)
