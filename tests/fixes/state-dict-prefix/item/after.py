import torch

checkpoint = torch.load("model.pt")
optimizer.load_state_dict(checkpoint['optimizer'])
torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(checkpoint['model'], 'module.')
# and the weights
model.load_state_dict(checkpoint['model'])
