from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(net, static_graph=args.static)
