import torch

state = torch.load("model.pt")
torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
model.load_state_dict(state)
