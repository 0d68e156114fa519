from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, options, unused):
    first = DDP(model, **options)
    return DDP(first, find_unused_parameters=unused)
