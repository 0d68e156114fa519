from dataclasses import dataclass

import torch


@dataclass
class Config:
    width: int = 8


state = torch.load("run.pt", map_location="cpu")
