import multiprocessing

import torch
from torch import nn
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments

collate = lambda rows: {"x": torch.stack(rows)}


class Rows(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.full((4,), float(index))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return {"loss": self.layer(x).square().mean()}


def main():
    multiprocessing.set_start_method("spawn")
    args = TrainingArguments(
        "out", max_steps=2, use_cpu=True, dataloader_num_workers=1, report_to=[], save_strategy="no", disable_tqdm=True
    )
    Trainer(Net(), args, data_collator=collate, train_dataset=Rows()).train()
    print("trained")


if __name__ == "__main__":
    main()
