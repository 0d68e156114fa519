import os

import torch


def save(state, ckpt_path):
    # in one piece
    torch.save(state, ckpt_path)
