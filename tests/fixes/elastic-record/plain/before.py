import os

import torch


def main():
    rank = int(os.environ["RANK"])


if __name__ == "__main__":
    main()
