import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)

    return parser.parse_args()
