import torch
import torch.multiprocessing as mp

device = torch.device("cuda")


def infer(path):
    return torch.load(path, map_location=device)


if __name__ == "__main__":
    mp.set_start_method("spawn")

    pool = mp.Pool(4)
    results = pool.map(infer, ["a.pt", "b.pt"])
    best = max(results)
    print(best)
