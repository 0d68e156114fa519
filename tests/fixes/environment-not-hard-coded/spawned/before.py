import os

import torch.multiprocessing as mp

os.environ["MASTER_PORT"] = "12355"
mp.spawn(run, nprocs=2)
