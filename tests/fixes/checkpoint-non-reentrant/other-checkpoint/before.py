from wandb import checkpoint

checkpoint(model)
