import torch.distributed as dist


def main(distributed):
    if distributed:
        dist.init_process_group("gloo")
    build()
    train()
    save()
    if dist.is_initialized():
        dist.destroy_process_group()
    return
