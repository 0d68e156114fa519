import torch.multiprocessing as mp

def train(rank, world_size):
    print(rank)

WORLD_SIZE = 2

def report():
    print("done")

if __name__ == '__main__':  # pragma: no cover
    # start all ranks
    mp.spawn(train, args=(WORLD_SIZE,), nprocs=WORLD_SIZE)
    report()
    # that is all
