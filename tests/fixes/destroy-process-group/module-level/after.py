from torch import distributed as dist

dist.init_process_group("gloo")
train()
dist.destroy_process_group()
