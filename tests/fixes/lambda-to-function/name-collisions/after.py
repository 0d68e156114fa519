import torch
from torch.utils.data import DataLoader


def collate_fn(rows):
    return torch.stack(rows)


def _collate_fn(rows):
    return torch.cat(rows)


def _filter(worker_id):
    print(worker_id)


def collate_fn_2(rows):
    return rows[0]


def main(data):
    collate_fn = _collate_fn

    filter = _filter

    a = DataLoader(data, num_workers=2, collate_fn=collate_fn, worker_init_fn=filter)
    b = DataLoader(data, num_workers=2, collate_fn=collate_fn_2)
    return a, b
