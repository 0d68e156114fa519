from torch.multiprocessing import set_start_method, spawn

from worker import run

set_start_method("spawn")
spawn(run, nprocs=4)
