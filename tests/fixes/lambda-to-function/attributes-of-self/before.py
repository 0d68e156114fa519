import lightning as L
from torch.utils.data import DataLoader

from collate import collate_parallel, merge


class Pairs(L.LightningDataModule):
    def __init__(self, vocab, encoder):
        super().__init__()
        self.vocab = vocab
        self.encoder = encoder

    def pad(self, rows):
        return rows

    def train_dataloader(self):
        return DataLoader(
            self.train,
            num_workers=4,
            collate_fn=lambda rows: collate_parallel(rows, self.vocab, encoder=self.encoder(rows), again=self.vocab),
        )

    def val_dataloader(self):
        return DataLoader(self.val, num_workers=4, collate_fn=lambda rows: self.pad(rows))

    def test_dataloader(self):
        def collate(rows):
            return merge(rows, limit=self.hparams.limit)

        return DataLoader(self.test, num_workers=4, collate_fn=collate)

    def predict_dataloader(self):
        self.size = 3
        return DataLoader(self.test, num_workers=4, collate_fn=lambda vocab: (vocab, self.vocab))
