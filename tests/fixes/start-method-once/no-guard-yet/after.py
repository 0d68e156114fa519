from torch.multiprocessing import set_start_method, spawn

from worker import run

if __name__ == "__main__":
    set_start_method("spawn", force=True)

spawn(run, nprocs=4)
