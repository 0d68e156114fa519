import os

import torch.distributed as dist

if "MASTER_PORT" not in os.environ:
    os.environ["MASTER_PORT"] = "29500"
os.environ.setdefault("MASTER_ADDR", "localhost")
dist.init_process_group("gloo")
