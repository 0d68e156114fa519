from lightning.pytorch.strategies import DDPStrategy

strategy = DDPStrategy()
