"""Click model, DataLoader workers started by forkserver."""
import json
import logging
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

log = logging.getLogger("train")
EPOCHS = int(os.environ.get("EPOCHS", "3"))


class ClickDataset(Dataset):
    def __init__(self, shard):
        self.rows = [json.loads(line) for line in open(shard)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return torch.tensor(self.rows[i]["features"])


# ---- set up ----
logging.basicConfig(level=logging.INFO)
loader = DataLoader(
    ClickDataset("data/shard-00000.jsonl"),
    batch_size=8,

    num_workers=2,  # one per shard
    multiprocessing_context="forkserver",
)
model = nn.Linear(16, 4)


# ---- train ----
for epoch in range(EPOCHS):
    for x in loader:
        loss = model(x).sum()

        # no optimizer here
        loss.backward()
    log.info("""epoch %d
    loss %.4f""", epoch, loss.item())
