"""A Ray Train run: every worker's lines under its actor's prefix."""

import ray
import ray.train
import torch
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model


def loop():
    model = prepare_model(torch.nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(600):
        loss = model(torch.randn(4, 16)).square().mean()
        loss.backward()
        optimizer.step()
        print(f"step {step} rank {ray.train.get_context().get_world_rank()} loss {loss.item():.4f}")
    ray.train.report({"loss": loss.item()})


if __name__ == "__main__":
    ray.init(num_cpus=3, include_dashboard=False)
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=2), run_config=RunConfig(storage_path="/tmp/ray-results")).fit()
