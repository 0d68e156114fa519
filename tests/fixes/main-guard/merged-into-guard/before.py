import torch.multiprocessing as mp

def train(rank, world_size):
    print(rank)

WORLD_SIZE = 2
# start all ranks
mp.spawn(train, args=(WORLD_SIZE,), nprocs=WORLD_SIZE)

def report():
    print("done")

if __name__ == '__main__':  # pragma: no cover
    report()
    # that is all
