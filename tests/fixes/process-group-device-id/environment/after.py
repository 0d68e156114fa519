import os
import torch
import torch.distributed as dist


def main():
    dist.init_process_group(backend="nccl", timeout=timeout, device_id=torch.device("cuda", int(os.environ["LOCAL_RANK"])))
