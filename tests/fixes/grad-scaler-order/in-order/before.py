import torch

scaler = torch.amp.GradScaler("cuda")
for x in loader:
    optimizer.zero_grad()
    scaler.scale(model(x)).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
