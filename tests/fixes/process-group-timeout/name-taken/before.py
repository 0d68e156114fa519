from datetime import datetime

import torch.distributed as dist

print(datetime.now())
dist.init_process_group("gloo")
