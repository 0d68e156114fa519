import os

import torch

path = os.path.join(folder, 'last.pt')
tmp_path = f"{path}.{os.getpid()}.tmp"
torch.save({'model': model.state_dict()}, tmp_path)
os.replace(tmp_path, path)
