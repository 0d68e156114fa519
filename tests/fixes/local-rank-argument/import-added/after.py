import argparse
import os


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)

    parser.add_argument("--local-rank", "--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", "0")))
    return parser.parse_args()
