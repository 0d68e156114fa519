import torch

scaler = torch.amp.GradScaler("cpu")
for x in loader:
    loss = model(x)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
