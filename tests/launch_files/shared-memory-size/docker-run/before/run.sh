#!/bin/bash
# start it
docker run --gpus all -v "$PWD:/work" \
  pytorch/pytorch torchrun train.py
