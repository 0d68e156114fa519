from transformers import GPT2Tokenizer


class Data:
    def __init__(self, name):
        self.tokenizer = GPT2Tokenizer.from_pretrained(
            name,
        )  # the fast one
        self.rows = []
