import torch
from torch.cuda.amp import GradScaler

scaler = GradScaler()


def train():
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        # back
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
