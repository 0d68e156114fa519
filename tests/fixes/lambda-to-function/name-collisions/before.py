import torch
from torch.utils.data import DataLoader


def collate_fn(rows):
    return torch.stack(rows)


def main(data):
    def collate_fn(rows):
        return torch.cat(rows)

    def filter(worker_id):
        print(worker_id)

    a = DataLoader(data, num_workers=2, collate_fn=collate_fn, worker_init_fn=filter)
    b = DataLoader(data, num_workers=2, collate_fn=lambda rows: rows[0])
    return a, b
