import argparse

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn

from data import build_dataloader


def parse_args():
    parser = argparse.ArgumentParser(description="Forecast the next value of a signal")
    parser.add_argument("--window", type=int, default=32)
    parser.add_argument("--batch-size", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--num-workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main():
    args = parse_args()
    set_seed(args.seed)
    accelerator = Accelerator(cpu=True)

    model = nn.Sequential(nn.Linear(args.window, 64), nn.GELU(), nn.Linear(64, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loader = build_dataloader(args.window, args.batch_size, args.num_workers)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    for epoch in range(args.epochs):
        model.train()
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x).squeeze(-1), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            if step % 5 == 0:
                accelerator.print(f"epoch {epoch} step {step} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
