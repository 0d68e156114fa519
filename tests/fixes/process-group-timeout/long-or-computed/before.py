from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(hours=2))
dist.init_process_group("gloo", timeout=timedelta(seconds=args.timeout))
