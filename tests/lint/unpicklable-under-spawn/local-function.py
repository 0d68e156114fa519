import torch.multiprocessing as mp


def main():
    def run(rank):
        print(rank)

    mp.spawn(run, nprocs=2)  # here
