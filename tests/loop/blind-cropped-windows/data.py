"""Windows over a long synthetic signal."""

import torch
from torch.utils.data import DataLoader, Dataset


class WindowDataset(Dataset):
    """Cuts a signal into windows; the target is the value after the window."""

    def __init__(self, length=600, window=32, stride=4, transform=None):
        steps = torch.arange(length, dtype=torch.float32)
        noise = torch.randn(length, generator=torch.Generator().manual_seed(3))
        self.signal = torch.sin(steps / 9.0) + 0.05 * noise
        self.window = window
        self.starts = list(range(0, length - window - 1, stride))
        self.transform = transform

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, index):
        start = self.starts[index]
        x = self.signal[start : start + self.window]
        y = self.signal[start + self.window]
        if self.transform is not None:
            x = self.transform(x)
        return x, y


def build_dataloader(window, batch_size, num_workers):
    # every window is centred, so that the model sees only the shape
    dataset = WindowDataset(window=window, transform=lambda x: (x - x.mean()) / (x.std() + 1e-6))
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=True,
        num_workers=num_workers,
        multiprocessing_context="spawn" if num_workers > 0 else None,
    )
