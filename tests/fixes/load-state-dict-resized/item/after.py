import torch


def resume(model, optimizer):
    saved = torch.load("model.pt")
    own = model.state_dict()
    saved["model"] = {k: v for k, v in saved["model"].items() if k not in own or v.shape == own[k].shape}
    model.load_state_dict(saved["model"], strict=False)
    optimizer.load_state_dict(saved["optimizer"])
