import torch

scaler = torch.amp.GradScaler("cuda")
for x in loader:
    optimizer.zero_grad()
    loss = model(x)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
