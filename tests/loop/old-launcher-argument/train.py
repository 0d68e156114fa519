import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    total = torch.ones(1)
    for _ in range(args.steps):
        dist.all_reduce(total)
    print("rank", dist.get_rank(), "sees", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
