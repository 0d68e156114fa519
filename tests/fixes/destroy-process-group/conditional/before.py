import torch.distributed as dist


def main(distributed):
    if distributed:
        dist.init_process_group("gloo")
    build()
    train()
    save()
    return
