import os
from datetime import timedelta

import torch
import torch.distributed as dist


def main():
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = "28231"
    dist.init_process_group("gloo", timeout=timedelta(seconds=8))
    total = torch.ones(1)
    dist.all_reduce(total)
    print("rank", dist.get_rank(), "sees", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
