from datetime import datetime, timedelta

import torch.distributed as dist

print(datetime.now())
dist.init_process_group("gloo", timeout=timedelta(hours=1))
