import os

import torch

path = os.path.join(folder, 'last.pt')
torch.save({'model': model.state_dict()}, path)
