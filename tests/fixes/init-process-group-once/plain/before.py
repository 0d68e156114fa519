import torch.distributed as dist


def setup():
    # all ranks
    dist.init_process_group("gloo")
    print("ready")
