"""A DeepSpeed fp16 run whose loss scale starts too high: overflow after overflow is skipped."""

import logging
import sys

import deepspeed
import deepspeed.comm.torch
import torch

sys.modules["deepspeed.comm.torch"].build_shm_op = lambda: None  # its build takes minutes
deepspeed.utils.logger.setLevel(logging.INFO)
for handler in deepspeed.utils.logger.handlers:
    handler.setLevel(logging.INFO)

if __name__ == "__main__":
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "steps_per_print": 1,
        "wall_clock_breakdown": True,
        "fp16": {"enabled": True, "initial_scale_power": 24, "hysteresis": 1, "loss_scale_window": 20},
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-3, "torch_adam": True}},
        "zero_optimization": {"stage": 1},
    }
    model = torch.nn.Linear(16, 1)
    engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
    for step in range(400):
        loss = engine(torch.randn(4, 16).half()).float().square().mean()
        engine.backward(loss)
        engine.step()
    engine.save_checkpoint("ckpt")
