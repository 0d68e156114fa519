import time
from datetime import timedelta

import torch
import torch.distributed as dist


def prepare(rank):
    if rank == 0:
        print("rank 0 prepares the data", flush=True)
        time.sleep(12)
    dist.barrier()


def main():
    dist.init_process_group("gloo", timeout=timedelta(seconds=5))
    rank = dist.get_rank()
    prepare(rank)
    total = torch.ones(1)
    dist.all_reduce(total)
    print("rank", rank, "sees", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
