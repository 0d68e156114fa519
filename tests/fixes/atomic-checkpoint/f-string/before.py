import os

import torch


def save(step):
    torch.save(model.state_dict(), f"runs/{step}.pt")
