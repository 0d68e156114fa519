import torch.multiprocessing as mp


def run(rank):
    print(rank)


if __name__ == "__main__":
    mp.spawn(run, nprocs=2)
