import torch.multiprocessing as mp


def train(rank):
    print(rank)


mp.spawn(train, nprocs=2)

if __name__ == "__main__":
    print("script")
else:
    print("imported")
