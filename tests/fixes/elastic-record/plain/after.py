import os

import torch
from torch.distributed.elastic.multiprocessing.errors import record


@record
def main():
    rank = int(os.environ["RANK"])


if __name__ == "__main__":
    main()
