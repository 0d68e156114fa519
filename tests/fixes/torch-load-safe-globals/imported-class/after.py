import torch

from project.config import Config

torch.serialization.add_safe_globals([Config])
state = torch.load("run.pt")
