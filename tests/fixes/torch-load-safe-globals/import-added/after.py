import argparse
import torch

torch.serialization.add_safe_globals([argparse.Namespace])
state = torch.load("run.pt")
