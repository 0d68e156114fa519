import argparse

first = argparse.ArgumentParser()
second = argparse.ArgumentParser()
args = first.parse_args()
