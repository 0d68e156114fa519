import torch

use_cuda = torch.cuda.is_available()
train_kwargs = {"batch_size": 64}
if use_cuda:
    train_kwargs.update({"num_workers": 1, "multiprocessing_context": "spawn"})
train_loader = torch.utils.data.DataLoader(train_set, **train_kwargs)
other_loader = torch.utils.data.DataLoader(train_set, num_workers=2, **train_kwargs)
