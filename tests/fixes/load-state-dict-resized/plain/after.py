import torch

state = torch.load("model.pt")
own = model.state_dict()
state = {k: v for k, v in state.items() if k not in own or v.shape == own[k].shape}
model.load_state_dict(state, strict=False)
