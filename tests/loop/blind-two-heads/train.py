"""Multi-task text classification: topic and sentiment batches in turn."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
import torch.distributed as dist
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP

from model import MultiTaskModel


@dataclass
class Config:
    vocab: int = 200
    dim: int = 32
    length: int = 12
    batch_size: int = 8
    steps: int = 8
    lr: float = 2e-3
    tasks: dict[str, int] = field(default_factory=lambda: {"topic": 6, "sentiment": 2})


def batches(cfg: Config, rank: int) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    generator = torch.Generator().manual_seed(100 + rank)
    for task in itertools.cycle(cfg.tasks):
        tokens = torch.randint(cfg.vocab, (cfg.batch_size, cfg.length), generator=generator)
        yield task, tokens, tokens.sum(dim=1) % cfg.tasks[task]


def train(cfg: Config) -> None:
    rank = dist.get_rank()
    torch.manual_seed(17)
    model = DDP(MultiTaskModel(cfg.vocab, cfg.dim, cfg.tasks))
    optimizer = optim.AdamW(model.parameters(), lr=cfg.lr)
    criterion = nn.CrossEntropyLoss()

    for step, (task, tokens, labels) in enumerate(itertools.islice(batches(cfg, rank), cfg.steps)):
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(tokens, task), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if rank == 0:
            print(f"[{step:03d}] {task:<10} loss={loss.item():.3f}", flush=True)


if __name__ == "__main__":
    dist.init_process_group(backend="gloo")
    try:
        train(Config())
    finally:
        dist.destroy_process_group()
