import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from shards import shard_loader

FEATURES = int(os.environ.get("FEATURES", 16))
BATCH_SIZE = int(os.environ.get("BATCH_SIZE", 8))
EPOCHS = int(os.environ.get("EPOCHS", 2))


def build():
    torch.manual_seed(31)
    model = DDP(nn.Sequential(nn.Linear(FEATURES, 48), nn.ReLU(), nn.Linear(48, 1)))
    return model, torch.optim.SGD(model.parameters(), lr=1e-2), nn.SmoothL1Loss()


def run_epoch(epoch, model, optimizer, criterion, loader, rank):
    steps = 0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        steps += 1
    print(f"rank {rank} epoch {epoch}: {steps} steps, last loss {loss.item():.4f}", flush=True)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    model, optimizer, criterion = build()
    loader = shard_loader(rank, world_size, FEATURES, BATCH_SIZE)

    for epoch in range(EPOCHS):
        run_epoch(epoch, model, optimizer, criterion, loader, rank)

    if rank == 0:
        torch.save(model.module.state_dict(), "weights.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
