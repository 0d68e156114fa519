import torch

from project.config import Config

state = torch.load("run.pt")
