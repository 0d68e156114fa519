from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    width: int = 4
    depth: int = 2


def main():
    config = Config()
    layers = nn.Sequential(*(nn.Linear(config.width, config.width) for _ in range(config.depth)))
    torch.save((config, layers.state_dict()), "run.pt")

    config, state = torch.load("run.pt")
    layers.load_state_dict(state)
    print("resumed", config)


if __name__ == "__main__":
    main()
