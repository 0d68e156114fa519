import torch.nn.functional as F

y = F.relu(x, inplace=True)
