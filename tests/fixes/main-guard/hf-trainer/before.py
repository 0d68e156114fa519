from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("gpt2")
tokenizer.pad_token = tokenizer.eos_token


def encode(row):
    return tokenizer(row["text"], truncation=True)


data = load_dataset("imdb")["train"].map(encode)
args = TrainingArguments("out", dataloader_num_workers=8)
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=args, train_dataset=data)
trainer.train()
