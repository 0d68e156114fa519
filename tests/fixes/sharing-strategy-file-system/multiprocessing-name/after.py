import os

import torch.multiprocessing as mp

mp.set_sharing_strategy("file_system")

queue = mp.Queue()
