import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
parser.add_argument("--local-rank", "--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", "0")))
args = parser.parse_args()
