import lightning as L
from lightning.pytorch.strategies import DDPStrategy

trainer = L.Trainer(devices=2, strategy='ddp_find_unused_parameters_true')
other = L.Trainer(devices=2, strategy=DDPStrategy(process_group_backend='gloo', find_unused_parameters=True))
third = L.Trainer(strategy='fsdp')
