import torch

scaler = torch.amp.GradScaler("cuda")
for x in loader:
    scaler.scale(model(x)).backward()

    # not too long
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
