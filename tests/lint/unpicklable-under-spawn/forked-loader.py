from torch.utils.data import DataLoader

import torch.multiprocessing as mp


def run(rank):
    return DataLoader(data, num_workers=2, collate_fn=lambda rows: rows)


if __name__ == "__main__":
    mp.spawn(run, nprocs=2)
