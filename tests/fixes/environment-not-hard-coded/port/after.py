import os

import torch.distributed as dist

os.environ.setdefault("MASTER_ADDR", "localhost")
os.environ.setdefault('MASTER_PORT', '12355')
dist.init_process_group("gloo")
