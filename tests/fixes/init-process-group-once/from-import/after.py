from torch.distributed import init_process_group, is_initialized

if not is_initialized():
    init_process_group(
        "gloo",
        world_size=2,
    )
