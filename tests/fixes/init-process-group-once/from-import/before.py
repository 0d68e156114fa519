from torch.distributed import init_process_group

init_process_group(
    "gloo",
    world_size=2,
)
