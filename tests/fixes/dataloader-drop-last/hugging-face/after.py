from transformers import TrainingArguments

args = TrainingArguments(output_dir="out", dataloader_drop_last=True)
