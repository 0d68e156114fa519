"""Fine-tune the gated tagger with the Hugging Face Trainer."""

import random

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments, set_seed

from modeling import Tagger

VOCAB_SIZE = 120
NUM_TAGS = 5
MAX_LENGTH = 16


class SyntheticTags(Dataset):
    def __init__(self, size: int = 48) -> None:
        rng = random.Random(8)
        self.examples = []
        for _ in range(size):
            length = rng.randint(6, MAX_LENGTH)
            ids = [rng.randint(1, VOCAB_SIZE - 1) for _ in range(length)]
            pad = MAX_LENGTH - length
            self.examples.append(
                {
                    "input_ids": torch.tensor(ids + [0] * pad),
                    "attention_mask": torch.tensor([1] * length + [0] * pad),
                    "labels": torch.tensor([i % NUM_TAGS for i in ids] + [-100] * pad),
                }
            )

    def __len__(self) -> int:
        return len(self.examples)

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        return self.examples[index]


def main() -> None:
    set_seed(1)
    training_args = TrainingArguments(
        output_dir="out",
        use_cpu=True,
        max_steps=6,
        per_device_train_batch_size=8,
        learning_rate=1e-3,
        logging_steps=2,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    trainer = Trainer(
        model=Tagger(VOCAB_SIZE, NUM_TAGS),
        args=training_args,
        train_dataset=SyntheticTags(),
    )
    result = trainer.train()
    print("train loss", round(result.training_loss, 4))


if __name__ == "__main__":
    main()
