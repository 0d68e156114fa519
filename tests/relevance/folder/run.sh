#!/bin/bash
# starts eight ranks
export NCCL_DEBUG=INFO
torchrun \
  --nproc-per-node 8 train.py
