import hydra
from torch.utils.data import DataLoader


@hydra.main(config_path="conf", config_name="train")
def main(cfg):
    loader = DataLoader(cfg.data, num_workers=cfg.workers)
    for step, batch in enumerate(loader):
        print(step)


main()  # the entry point
