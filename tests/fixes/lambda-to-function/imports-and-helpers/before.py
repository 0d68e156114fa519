from functools import partial

from torch.utils.data import DataLoader


def build(data, seed):
    import numpy as np
    from random import seed as seed_python

    def mix(worker_id):
        return seed + worker_id

    def init(worker_id):
        """Seed."""
        np.random.seed(mix(worker_id))
        seed_python(mix(worker_id))

    return DataLoader(data, num_workers=4, worker_init_fn=init)


def other(data, n):
    return DataLoader(data, num_workers=2, collate_fn=partial(lambda k, rows: rows[:k], n))
