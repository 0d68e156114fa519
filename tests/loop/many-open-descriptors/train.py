import torch
from torch.utils.data import DataLoader, Dataset


class Many(Dataset):
    """Every sample has many tensors, each of which travels by a descriptor of its own."""

    def __len__(self):
        return 32

    def __getitem__(self, index):
        return [torch.full((2,), float(index)) for _ in range(64)]


def first(rows):
    return rows[0]


def main():
    kept = []
    for row in DataLoader(Many(), batch_size=1, num_workers=2, collate_fn=first):
        kept.append(row)
    print(len(kept), "rows")


if __name__ == "__main__":
    main()
