import argparse

import torch


def resume(path):
    # the last one
    state = torch.load(path)
    return state
