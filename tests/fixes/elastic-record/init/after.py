"""Train."""
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record


# all of it
@record
def run(args):
    dist.init_process_group("gloo")


if __name__ == "__main__":
    args = parse()
    run(args)
