import torch.distributed as dist


def setup():
    dist.init_process_group("gloo")


def main():
    setup()
    train()
    if dist.is_initialized():
        dist.destroy_process_group()


main()
