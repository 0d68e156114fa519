import lightning as L
from lightning.pytorch.strategies import DDPStrategy

trainer = L.Trainer(devices=2, strategy='ddp')
other = L.Trainer(devices=2, strategy=DDPStrategy(process_group_backend='gloo'))
third = L.Trainer(strategy='fsdp')
