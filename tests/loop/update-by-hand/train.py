import torch

torch.manual_seed(0)
x, y = torch.randn(32, 3), torch.randn(32)
w = torch.zeros(3, requires_grad=True)
for step in range(10):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    w -= 0.1 * w.grad
    w.grad.zero_()
print("loss", loss.item())
