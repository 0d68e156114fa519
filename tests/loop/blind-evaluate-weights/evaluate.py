"""Score the last checkpoint in one process."""

import sys
from pathlib import Path

import torch

from model import build_model


def load_model(path: Path) -> torch.nn.Module:
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model = build_model()
    model.load_state_dict(checkpoint["model"])
    print(f"loaded step {checkpoint['step']} from {path.name}")
    return model.eval()


@torch.no_grad()
def accuracy(model: torch.nn.Module, batches: int = 4) -> float:
    generator = torch.Generator().manual_seed(99)
    hits = seen = 0
    for _ in range(batches):
        images = torch.randn(16, 1, 12, 12, generator=generator)
        labels = torch.randint(4, (16,), generator=generator)
        hits += int((model(images).argmax(dim=1) == labels).sum())
        seen += len(labels)
    return hits / seen


if __name__ == "__main__":
    weights = Path(sys.argv[1] if len(sys.argv) > 1 else "last.pt")
    print(f"accuracy {accuracy(load_model(weights)):.2%}")
