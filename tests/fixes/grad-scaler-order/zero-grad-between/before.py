import torch

scaler = torch.amp.GradScaler("cpu")
for x in loader:
    loss = model(x)
    scaler.scale(loss).backward()
    optimizer.zero_grad()
    scaler.step(optimizer)
    scaler.update()
