import os

import torch.distributed as dist

os.environ["MASTER_PORT"] = "29500"  # here
dist.init_process_group("gloo")
