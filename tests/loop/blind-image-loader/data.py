"""Datasets and loaders."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Blobs(Dataset):
    """Grey images with one bright quadrant; the label is the quadrant."""

    def __init__(self, size: int, resolution: int = 8) -> None:
        self.size = size
        self.resolution = resolution

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        generator = torch.Generator().manual_seed(index)
        half, label = self.resolution // 2, index % 4
        image = 0.3 * torch.rand(1, self.resolution, self.resolution, generator=generator)
        row, column = divmod(label, 2)
        image[:, row * half : (row + 1) * half, column * half : (column + 1) * half] += 0.6
        return image, label


def build_train_loader(dataset: Dataset, batch_size: int, num_workers: int = 0) -> DataLoader:
    sampler = None
    if dist.is_available() and dist.is_initialized():
        sampler = DistributedSampler(dataset, drop_last=True)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=True,
        sampler=sampler,
        num_workers=num_workers,
        drop_last=True,
    )


def build_eval_loader(dataset: Dataset, batch_size: int) -> DataLoader:
    return DataLoader(dataset, batch_size=batch_size, shuffle=False)
