"""Train."""

from __future__ import annotations

import functools
import logging
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

log = logging.getLogger(__name__)


def collate_fn(pad_id, rows):
    return pad_sequence(
        [torch.tensor(r) for r in rows],  # long
        batch_first=True,
        padding_value=pad_id,
    )


def worker_init_fn(worker_id):
    return torch.manual_seed(worker_id)


def collate_fn_2(rows, tok):
    return tok(rows)


def main(data, tokenizer, pad_id=0):
    """Train."""
    loader = DataLoader(
        data,
        num_workers=4,
        # pad to the longest
        collate_fn=functools.partial(collate_fn, pad_id),
        worker_init_fn=worker_init_fn,
    )
    other = DataLoader(data, num_workers=4, collate_fn=functools.partial(collate_fn_2, tok=tokenizer))
    for batch in loader:
        log.info(batch.shape)
