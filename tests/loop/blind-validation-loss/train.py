import argparse
import datetime
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, args):
        self.args = args
        self.rank = int(os.environ["RANK"])
        self.world_size = int(os.environ["WORLD_SIZE"])
        torch.manual_seed(args.seed)

        x = torch.rand(320, 10)
        y = (x**2).sum(dim=1, keepdim=True)
        train_set, val_set = random_split(TensorDataset(x, y), [256, 64])
        self.sampler = DistributedSampler(train_set)
        self.train_loader = DataLoader(train_set, batch_size=args.batch_size, sampler=self.sampler)
        self.val_loader = DataLoader(
            val_set, batch_size=args.batch_size, sampler=DistributedSampler(val_set, shuffle=False)
        )

        net = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
        self.model = nn.parallel.DistributedDataParallel(net)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=args.lr)

    def train_epoch(self, epoch):
        self.model.train()
        self.sampler.set_epoch(epoch)
        for x, y in self.train_loader:
            loss = F.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self, epoch):
        self.model.eval()
        total = torch.zeros(2)
        for x, y in self.val_loader:
            total[0] += F.mse_loss(self.model.module(x), y, reduction="sum")
            total[1] += len(x)

        # log the mean over the whole validation set
        if self.rank == 0:
            dist.all_reduce(total, op=dist.ReduceOp.SUM)
            print(f"epoch {epoch}: val_loss={total[0] / total[1]:.4f}", flush=True)
        dist.barrier()

    def fit(self):
        for epoch in range(self.args.epochs):
            self.train_epoch(epoch)
            self.validate(epoch)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--seed", type=int, default=42)
    args = parser.parse_args()

    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=20))
    Trainer(args).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
