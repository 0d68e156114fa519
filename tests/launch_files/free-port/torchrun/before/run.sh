set -e
export OMP_NUM_THREADS=4
torchrun --nproc-per-node 2 train.py --lr 0.1
