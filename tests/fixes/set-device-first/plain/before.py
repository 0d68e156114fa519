import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    train()
