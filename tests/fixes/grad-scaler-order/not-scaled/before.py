import torch
from torch.cuda.amp import GradScaler

scaler = GradScaler()


def train():
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        # back
        loss.backward()
        scaler.step(optimizer)
        scaler.update()
