import os

import torch.distributed as dist

os.environ["MASTER_PORT"] = "29500"  # firstfault: ignore
dist.init_process_group("gloo")
