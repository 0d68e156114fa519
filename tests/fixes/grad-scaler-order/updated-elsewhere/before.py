import torch

scaler = torch.amp.GradScaler("cuda")


def step(loss):
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def after():
    scaler.update()
