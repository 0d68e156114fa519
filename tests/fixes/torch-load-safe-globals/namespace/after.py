import argparse

import torch


def resume(path):
    torch.serialization.add_safe_globals([argparse.Namespace])
    # the last one
    state = torch.load(path)
    return state
