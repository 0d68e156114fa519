from transformers import Trainer, TrainingArguments

args = TrainingArguments("out", per_device_train_batch_size=2)
