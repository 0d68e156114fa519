import os

import torch


def save(step):
    tmp_path = f"runs/{step}.pt.{os.getpid()}.tmp"
    torch.save(model.state_dict(), tmp_path)
    os.replace(tmp_path, f"runs/{step}.pt")
