import torch

w = torch.zeros(2, requires_grad=True)
for x in data:
    loss = (w * x).sum()
    loss.backward()
    # a step
    w -= 0.1 * w.grad
    w.grad.zero_()
