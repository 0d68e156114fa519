"""Linear probe on synthetic features, one process per core."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

WORLD_SIZE = 2
EPOCHS = 2
BATCH_SIZE = 32
LEARNING_RATE = 0.05
NUM_FEATURES = 24
NUM_CLASSES = 5


def make_features(n: int = 256) -> TensorDataset:
    generator = torch.Generator().manual_seed(1234)
    x = torch.randn(n, NUM_FEATURES, generator=generator)
    w = torch.randn(NUM_FEATURES, NUM_CLASSES, generator=generator)
    return TensorDataset(x, (x @ w).argmax(dim=1))


def worker(rank: int, world_size: int, store: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(0)

    dataset = make_features()
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank)
    loader = DataLoader(dataset, batch_size=BATCH_SIZE, sampler=sampler)
    probe = DistributedDataParallel(nn.Linear(NUM_FEATURES, NUM_CLASSES))
    optimizer = torch.optim.SGD(probe.parameters(), lr=LEARNING_RATE)

    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(probe(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if rank == 0:
            print(f"epoch {epoch} loss {total / len(loader):.4f}", flush=True)

    dist.destroy_process_group()


# rendezvous over a file, so that no port has to be free
store_path = os.path.join(tempfile.mkdtemp(), "store")
print(f"starting {WORLD_SIZE} processes", flush=True)
mp.spawn(worker, args=(WORLD_SIZE, store_path), nprocs=WORLD_SIZE, join=True)
print("done")
