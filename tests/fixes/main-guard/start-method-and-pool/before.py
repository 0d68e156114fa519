import torch
import torch.multiprocessing as mp

mp.set_start_method("spawn")
device = torch.device("cuda")


def infer(path):
    return torch.load(path, map_location=device)


pool = mp.Pool(4)
results = pool.map(infer, ["a.pt", "b.pt"])
best = max(results)
print(best)
