import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


def main():
    compiled = torch.compile(build(), backend="eager")
    torch.save(compiled.state_dict(), "compiled.pt")

    model = build()
    state = torch.load("compiled.pt", map_location="cpu")
    model.load_state_dict(state)
    print("output", model(torch.ones(1, 4)).item())


if __name__ == "__main__":
    main()
