"""An Accelerate loop with tqdm bars and the library's own log."""

import logging

import torch
from accelerate import Accelerator
from accelerate.logging import get_logger
from torch.utils.data import DataLoader
from tqdm.auto import tqdm

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    log = get_logger(__name__, log_level="INFO")
    model = torch.nn.Linear(16, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(torch.randn(4000, 16), batch_size=4, num_workers=1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    bar = tqdm(total=len(loader), disable=not accelerator.is_local_main_process, mininterval=0)
    for step, x in enumerate(loader):
        with accelerator.accumulate(model):
            loss = model(x).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        bar.update(1)
        bar.set_postfix(loss=loss.item())
        log.info("step %d loss %.4f on %s", step, loss.item(), accelerator.device, main_process_only=False)
    accelerator.wait_for_everyone()
    accelerator.end_training()
