set -e
for seed in 1 2; do
    export PYTORCH_NVML_BASED_CUDA_CHECK=1
    CUDA_VISIBLE_DEVICES=0 python train.py --seed $seed
done
