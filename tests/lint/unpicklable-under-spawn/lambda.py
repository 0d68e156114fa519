from torch.utils.data import DataLoader


def make(data):
    return DataLoader(
        data,
        num_workers=2,
        collate_fn=lambda rows: rows,  # here
        multiprocessing_context="spawn",
    )
