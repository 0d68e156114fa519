torchrun --nnodes 2 --node-rank $1 --master-addr head train.py
