export TORCH_NCCL_TRACE_BUFFER_SIZE=2000
accelerate launch train.py
