from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    model = Net()
    a = model.encode(x)
    model = DDP(model)
    return model.encode(a)
