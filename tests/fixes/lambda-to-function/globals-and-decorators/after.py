import functools
import torch
import torch.multiprocessing as mp

STEPS = 0


@torch.no_grad()
def evaluate(rank):
    global STEPS
    STEPS += 1
    print(rank)


def main(world_size, config):
    @functools.lru_cache
    def train(rank):
        return config[rank]

    mp.spawn(evaluate, nprocs=world_size)
    mp.spawn(train, nprocs=world_size)
