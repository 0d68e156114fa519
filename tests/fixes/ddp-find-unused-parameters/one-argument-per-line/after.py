import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def wrap(model, rank):
    return DistributedDataParallel(
        model,
        device_ids=[rank],  # one GPU each
        find_unused_parameters=True,
    )
