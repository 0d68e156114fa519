import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


def main():
    torch.save(Tagger(100).state_dict(), "old.pt")
    model = Tagger(120)
    state = torch.load("old.pt", map_location="cpu")
    model.load_state_dict(state)
    print(model(torch.arange(4)).shape)


if __name__ == "__main__":
    main()
