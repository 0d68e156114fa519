"""Train on two processes; only the first one saves."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from model import build_model

CHECKPOINT = "last.pt"
STEPS = 5


def save_checkpoint(model, optimizer, step):
    state = {"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(state, CHECKPOINT)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(5)
    model = DistributedDataParallel(build_model())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    for step in range(STEPS):
        images = torch.randn(8, 1, 12, 12)
        labels = torch.randint(4, (8,))
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(f"step {step} loss {loss.item():.4f}", flush=True)

    if rank == 0:
        save_checkpoint(model, optimizer, STEPS)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
