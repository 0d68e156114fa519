import torch
from torch import nn


class GatedBlock(nn.Module):
    """A residual block whose update is scaled by a learned gate."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.update = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        normed = self.norm(hidden)
        gate = torch.sigmoid(self.gate(normed))
        gate *= mask.unsqueeze(-1)  # padding passes through untouched
        return hidden + gate * self.update(normed)


class Tagger(nn.Module):
    def __init__(self, vocab_size: int, num_tags: int, dim: int = 32, layers: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.blocks = nn.ModuleList([GatedBlock(dim) for _ in range(layers)])
        self.head = nn.Linear(dim, num_tags)
        self.loss = nn.CrossEntropyLoss(ignore_index=-100)

    def forward(self, input_ids, attention_mask, labels=None):
        hidden = self.embed(input_ids)
        mask = attention_mask.to(hidden.dtype)
        for block in self.blocks:
            hidden = block(hidden, mask)
        logits = self.head(hidden)
        if labels is None:
            return {"logits": logits}
        return {"loss": self.loss(logits.flatten(0, 1), labels.flatten()), "logits": logits}
