import os

os.environ["MASTER_PORT"] = str(free_port())
os.environ["WANDB_MODE"] = "offline"
os.environ["RANK"] = os.environ["SLURM_PROCID"]
