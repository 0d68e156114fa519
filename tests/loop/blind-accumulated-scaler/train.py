"""Mixed-precision training with gradient accumulation and clipping."""

from __future__ import annotations

import argparse
import logging
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

log = logging.getLogger("train")


class MLP(nn.Module):
    def __init__(self, sizes: list[int], dropout: float) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(a, b), nn.SiLU(), nn.Dropout(dropout)]
        self.layers = nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def get_data(batch_size: int) -> DataLoader:
    x = torch.randn(192, 20)
    y = (x[:, :3].sum(dim=1) > 0).long()
    return DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=True)


def train_one_epoch(model, loader, optimizer, scaler, args) -> float:
    model.train()
    running = 0.0
    optimizer.zero_grad()
    for step, (x, y) in enumerate(loader, start=1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x), y) / args.accumulate
        scaler.scale(loss).backward()
        running += loss.item() * args.accumulate

        # clip in the true scale of the gradients
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)

        if step % args.accumulate == 0 or step == len(loader):
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    return running / len(loader)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")

    torch.manual_seed(0)
    model = MLP([20, 64, 64, 2], dropout=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cpu")
    loader = get_data(args.batch_size)
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, loader, optimizer, scaler, args)
        log.info("epoch %d loss %.4f ppl %.2f", epoch, loss, math.exp(loss))


if __name__ == "__main__":
    main()
