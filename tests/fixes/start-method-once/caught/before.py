import torch.multiprocessing as mp

try:
    mp.set_start_method("spawn")
except RuntimeError:
    pass

if mp.get_start_method(allow_none=True) is None:
    mp.set_start_method("forkserver")
