from torch.utils.data import DataLoader
from data import Train, Val

batch_size = 32

if __name__ == "__main__":
    loader = DataLoader(Train(), batch_size=batch_size, num_workers=4)
    for x in loader:
        print(x)

    batch_size = 1
    loader = DataLoader(Val(), batch_size=batch_size, num_workers=4)
    for x in loader:
        print(x)
