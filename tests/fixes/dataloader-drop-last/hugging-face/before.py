from transformers import TrainingArguments

args = TrainingArguments(output_dir="out")
