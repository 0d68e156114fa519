import torch
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

if rank == 0:
    state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    torch.save(state, "model.pt")
