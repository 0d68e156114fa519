import torch


@torch.no_grad()
def step(w):
    w -= 0.1 * w.grad


def other(w):
    with torch.inference_mode():
        w -= 0.1 * w.grad
    w.data -= 0.1 * w.grad
