import os

import torch.distributed as dist
import torch.multiprocessing as mp


def run(rank):
    os.environ["MASTER_PORT"] = "29500"
    dist.init_process_group("gloo", rank=rank, world_size=2)


if __name__ == "__main__":
    mp.spawn(run, nprocs=2)
