import argparse

import torch
from torch import nn


def save(model, args):
    torch.save({"args": args, "model": model.state_dict()}, "last.pt")


def resume(model):
    checkpoint = torch.load("last.pt", map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    return checkpoint["args"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=4)
    args = parser.parse_args()
    model = nn.Linear(args.width, 1)
    save(model, args)
    print("resumed with", resume(model))


if __name__ == "__main__":
    main()
