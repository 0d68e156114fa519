from functools import partial

from torch.utils.data import DataLoader


def _mix(seed, worker_id):
    return seed + worker_id


def _init(mix, worker_id):
    """Seed."""
    import numpy as np
    from random import seed as seed_python
    np.random.seed(mix(worker_id))
    seed_python(mix(worker_id))


def build(data, seed):
    import numpy as np
    from random import seed as seed_python

    mix = partial(_mix, seed)

    init = partial(_init, mix)

    return DataLoader(data, num_workers=4, worker_init_fn=init)


def collate_fn(k, rows):
    return rows[:k]


def other(data, n):
    return DataLoader(data, num_workers=2, collate_fn=partial(collate_fn, n))
