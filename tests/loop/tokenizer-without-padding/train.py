from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

words = {"<end>": 0, "a": 1, "small": 2, "batch": 3, "of": 4, "text": 5, "<unk>": 6}


def make_backend():
    backend = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return backend


def main():
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=make_backend(), eos_token="<end>", unk_token="<unk>")
    batch = tokenizer(["a small batch", "of text"], padding=True, return_tensors="pt")
    print(batch["input_ids"].shape)


if __name__ == "__main__":
    main()
