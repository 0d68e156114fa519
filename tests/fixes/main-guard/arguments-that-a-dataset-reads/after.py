import argparse
import os

os.environ["OMP_NUM_THREADS"] = "1"

import torch
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--root", default="data")
parser.add_argument("--workers", type=int, default=4)
args = parser.parse_args()


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.load(f"{args.root}/{index}.pt")


if __name__ == "__main__":
    print("loading from", args.root)
    loader = DataLoader(Images(), num_workers=args.workers)
    for batch in loader:
        print(batch.shape)
