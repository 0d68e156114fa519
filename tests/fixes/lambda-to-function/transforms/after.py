import functools
import torchvision.transforms as T
from torch.utils.data import DataLoader
from torchvision import datasets


def normalize(x):
    return (x - 0.5) / 0.5


def transform_2(channels, x):
    return x.repeat(channels, 1, 1)


def target_transform(y):
    return int(y)


def loaders(root, channels):
    transform = T.Compose([
        T.ToTensor(),
        T.Lambda(functools.partial(transform_2, channels)),
        normalize,
    ])
    train = datasets.MNIST(root, transform=transform, target_transform=target_transform)
    return DataLoader(train, batch_size=32, num_workers=8)
