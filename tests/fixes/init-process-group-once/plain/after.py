import torch.distributed as dist


def setup():
    # all ranks
    if not dist.is_initialized():
        dist.init_process_group("gloo")
    print("ready")
