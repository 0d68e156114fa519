from mylib import DDP

model = DDP(net)
