import lightning as L
from torch.utils.data import DataLoader


class Data(L.LightningDataModule):

	def train_dataloader(self):
		def collate(rows):
			if self.pad:
				return pad(rows)

			return rows
		return DataLoader(self.rows, num_workers=4, collate_fn=collate)

	def val_dataloader(self):
		return DataLoader(self.rows, num_workers=4, collate_fn=(lambda rows: rows) if self.fast else None)
