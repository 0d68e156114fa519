"""Train."""

from __future__ import annotations

import logging
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

log = logging.getLogger(__name__)


def main(data, tokenizer, pad_id=0):
    """Train."""
    loader = DataLoader(
        data,
        num_workers=4,
        # pad to the longest
        collate_fn=lambda rows: pad_sequence(
            [torch.tensor(r) for r in rows],  # long
            batch_first=True,
            padding_value=pad_id,
        ),
        worker_init_fn=lambda worker_id: torch.manual_seed(worker_id),
    )
    other = DataLoader(data, num_workers=4, collate_fn=lambda rows, tok=tokenizer: tok(rows))
    for batch in loader:
        log.info(batch.shape)
