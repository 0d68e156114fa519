import torchvision.transforms as T
from torch.utils.data import DataLoader
from torchvision import datasets


def loaders(root, channels):
    def normalize(x):
        return (x - 0.5) / 0.5

    transform = T.Compose([
        T.ToTensor(),
        T.Lambda(lambda x: x.repeat(channels, 1, 1)),
        normalize,
    ])
    train = datasets.MNIST(root, transform=transform, target_transform=lambda y: int(y))
    return DataLoader(train, batch_size=32, num_workers=8)
