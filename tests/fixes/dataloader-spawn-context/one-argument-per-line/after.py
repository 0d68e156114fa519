from torch.utils.data import DataLoader as Loader

def build(args, data, rank):
    return Loader(
        data,
        batch_size=args.batch_size,
        num_workers=args.workers,  # 0 while debugging
        # pinned for speed
        pin_memory=True,  # only with CUDA
        multiprocessing_context="spawn" if args.workers > 0 else None,
    )

def hanging(data):
    return Loader(data,
                  num_workers=2,
                  drop_last=True,
                  multiprocessing_context="spawn")

def no_trailing_comma(data):
    return Loader(
        data,
        num_workers=2,  # two
        multiprocessing_context="spawn"
    )
