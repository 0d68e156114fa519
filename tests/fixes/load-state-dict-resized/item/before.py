import torch


def resume(model, optimizer):
    saved = torch.load("model.pt")
    model.load_state_dict(saved["model"], strict=True)
    optimizer.load_state_dict(saved["optimizer"])
