set -e
for seed in 1 2; do
    CUDA_VISIBLE_DEVICES=0 python train.py --seed $seed
done
