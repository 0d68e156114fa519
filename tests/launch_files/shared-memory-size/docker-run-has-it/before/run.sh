docker run --ipc=host pytorch/pytorch torchrun train.py
