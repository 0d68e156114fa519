import os

import torch.distributed as dist

os.environ["MASTER_ADDR"] = "localhost"
os.environ['MASTER_PORT'] = '12355'
dist.init_process_group("gloo")
