import torch.multiprocessing as mp


def train(rank):
    print(rank)


def main():
    mp.spawn(train, nprocs=2)


if __name__ == "__main__":
    main()
