import argparse

import torch
import torch.distributed as dist
from torch import nn

from data import Blobs, build_eval_loader, build_train_loader


def get_args() -> argparse.Namespace:
    p = argparse.ArgumentParser()
    p.add_argument("--train-size", type=int, default=160)
    p.add_argument("--batch-size", type=int, default=20)
    p.add_argument("--epochs", type=int, default=2)
    return p.parse_args()


def evaluate(model: nn.Module, loader) -> float:
    model.eval()
    correct = 0
    with torch.inference_mode():
        for images, labels in loader:
            correct += (model(images).argmax(1) == labels).sum().item()
    return correct / len(loader.dataset)


def main() -> None:
    args = get_args()
    dist.init_process_group("gloo")
    train_loader = build_train_loader(Blobs(args.train_size), args.batch_size)
    eval_loader = build_eval_loader(Blobs(32), args.batch_size)

    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 4))
    model = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    for epoch in range(args.epochs):
        if train_loader.sampler is not None and hasattr(train_loader.sampler, "set_epoch"):
            train_loader.sampler.set_epoch(epoch)
        model.train()
        for images, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: accuracy {evaluate(net, eval_loader):.3f}", flush=True)

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
