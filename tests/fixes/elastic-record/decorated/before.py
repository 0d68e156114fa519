import os

import hydra


@hydra.main()
def main(cfg):
    print(os.environ["RANK"])


if __name__ == "__main__":
    main()
