import torch

scaler = torch.amp.GradScaler("cuda")
for i, x in enumerate(loader):
    scaler.scale(model(x)).backward()
    if i % 4 == 3:
        scaler.step(optimizer)
        scaler.update()
