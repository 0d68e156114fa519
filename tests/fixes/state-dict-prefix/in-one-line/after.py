import torch

state_dict = torch.load("model.pt")
torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state_dict, "module.")
model.load_state_dict(state_dict, strict=True)
