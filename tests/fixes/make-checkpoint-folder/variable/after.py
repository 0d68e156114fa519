import os

import torch


def save(state, ckpt_path):
    os.makedirs(os.path.dirname(ckpt_path) or ".", exist_ok=True)
    # in one piece
    torch.save(state, ckpt_path)
