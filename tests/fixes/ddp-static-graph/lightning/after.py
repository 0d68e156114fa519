from lightning.pytorch.strategies import DDPStrategy

strategy = DDPStrategy(static_graph=True)
