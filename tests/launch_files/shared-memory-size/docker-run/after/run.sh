#!/bin/bash
# start it
docker run --shm-size=16g --gpus all -v "$PWD:/work" \
  pytorch/pytorch torchrun train.py
