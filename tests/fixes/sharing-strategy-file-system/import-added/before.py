from torch.utils.data import DataLoader


def main():
    return DataLoader(data, num_workers=4)
