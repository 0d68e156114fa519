"""Data-parallel training that prints what long runs print: every step, warnings, retries, handled errors."""

import argparse
import logging
import os
import random
import sys
import time
import warnings

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

log = logging.getLogger("train")


def fetch(step):
    """Fail now and then, as an object store does."""
    if random.random() < 0.01:
        raise ConnectionResetError(104, f"Connection reset by peer: shard-{step:05d}.tar")
    return torch.randn(8, 16)


def fetch_again(step):
    for attempt in range(1, 6):
        try:
            return fetch(step)
        except OSError as error:
            if attempt == 1:
                log.warning("reading shard %d failed (attempt %d/5): %s; trying again", step, attempt, error)
            else:
                log.exception("reading shard %d failed (attempt %d/5); trying again", step, attempt)
    raise SystemExit("the store is gone")


def main(rank=None, world=None, steps=1000):
    if world:
        os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(world), "LOCAL_RANK": str(rank)}
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    style = f"%(asctime)s [{rank}] %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, format=style, stream=sys.stderr, force=True)
    warnings.warn("torch.cuda.amp.GradScaler(args...) is deprecated. Please use torch.amp.GradScaler(...)", FutureWarning)
    warnings.warn("Detected call of lr_scheduler.step() before optimizer.step()", UserWarning)
    log.info("world size %d, pid %d, torch %s, error_file=%s", world, os.getpid(), torch.__version__, os.environ.get("X"))
    torch.manual_seed(0)
    random.seed(rank)
    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14)
    for step in range(steps):
        start, x = time.time(), fetch_again(step)
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        scaled = scaler.scale(loss) * (float("inf") if step % 97 == 96 else 1.0)
        scaled.backward()
        before = scaler.get_scale()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() < before:
            log.warning("step %d: gradient overflow, skipped; loss scale %g -> %g", step, before, scaler.get_scale())
        rate = 8 * world / (time.time() - start + 1e-9)
        print(f"step {step:6d}/{steps} | rank {rank} | loss {loss.item():.4f} | grad_norm {norm:.3f} | {rate:.1f} samples/s")
        if step % 200 == 199:
            torch.save(model.state_dict(), f"step-{step}-{rank}.pt")
            log.info("saved step-%d-%d.pt; validation error rate 0.%03d, 0 errors", step, rank, step % 997)
            dist.barrier()
    print(f"rank {rank}: training finished, exit code 0", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--spawn", type=int)
    options = parser.parse_args()
    for name, value in (("RANK", "OMPI_COMM_WORLD_RANK"), ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE")):
        if value in os.environ:
            os.environ[name] = os.environ[value]
    if options.spawn:
        torch.multiprocessing.spawn(main, args=(options.spawn, options.steps), nprocs=options.spawn)
    else:
        main(steps=options.steps)
