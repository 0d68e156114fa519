import os

import torch.multiprocessing as mp

queue = mp.Queue()
