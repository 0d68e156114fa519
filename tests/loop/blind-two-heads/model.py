import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        _, hidden = self.rnn(self.embed(tokens))
        return hidden[-1]


class MultiTaskModel(nn.Module):
    """A shared encoder with one head per task; a batch belongs to one task."""

    def __init__(self, vocab: int, dim: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.encoder = Encoder(vocab, dim)
        self.heads = nn.ModuleDict({name: nn.Linear(dim, classes) for name, classes in tasks.items()})

    def forward(self, tokens: torch.Tensor, task: str) -> torch.Tensor:
        return self.heads[task](self.encoder(tokens))
