"""Train."""
import torch.distributed as dist


# all of it
def run(args):
    dist.init_process_group("gloo")


if __name__ == "__main__":
    args = parse()
    run(args)
