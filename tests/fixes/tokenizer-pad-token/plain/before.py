from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
batch = tokenizer(texts, padding=True)
