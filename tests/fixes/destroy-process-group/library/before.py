import torch.distributed as dist


class Group:
    def __init__(self):
        dist.init_process_group("gloo")
