"""A Hugging Face Trainer run with a loss line and a progress bar for every step."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

if __name__ == "__main__":
    config = LlamaConfig(hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, vocab_size=64)
    rows = [{"input_ids": (ids := torch.randint(64, (8,))), "labels": ids} for _ in range(400)]
    arguments = TrainingArguments(
        output_dir="out", max_steps=900, per_device_train_batch_size=2, logging_steps=1, save_steps=300, use_cpu=True,
        report_to=[], warmup_steps=90, eval_strategy="steps", eval_steps=300,
    )
    Trainer(model=LlamaForCausalLM(config), args=arguments, train_dataset=rows, eval_dataset=rows[:40]).train()
