from dataclasses import dataclass

import torch


@dataclass
class Config:
    width: int = 8


torch.serialization.add_safe_globals([Config])
state = torch.load("run.pt", map_location="cpu")
