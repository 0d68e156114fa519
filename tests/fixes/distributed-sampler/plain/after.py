import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset, DistributedSampler


def main():
    dist.init_process_group("gloo")
    data = TensorDataset(x, y)
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
    model = DDP(net)
