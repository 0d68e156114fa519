import functools
import lightning as L
from torch.utils.data import DataLoader

from collate import collate_parallel, merge


def collate_fn(vocab, encoder, rows):
    return collate_parallel(rows, vocab, encoder=encoder(rows), again=vocab)


def collate_fn_2(self, rows):
    return self.pad(rows)


def _collate(hparams, rows):
    return merge(rows, limit=hparams.limit)


def collate_fn_3(self, vocab):
    return (vocab, self.vocab)


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
            collate_fn=functools.partial(collate_fn, self.vocab, self.encoder),
        )

    def val_dataloader(self):
        return DataLoader(self.val, num_workers=4, collate_fn=functools.partial(collate_fn_2, self))

    def test_dataloader(self):
        collate = functools.partial(_collate, self.hparams)

        return DataLoader(self.test, num_workers=4, collate_fn=collate)

    def predict_dataloader(self):
        self.size = 3
        return DataLoader(self.test, num_workers=4, collate_fn=functools.partial(collate_fn_3, self))
