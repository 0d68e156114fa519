import torch.multiprocessing as mp

mp.set_sharing_strategy("file_descriptor")
queue = mp.Queue()
