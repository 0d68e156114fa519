import datetime

from accelerate import InitProcessGroupKwargs
from lightning.pytorch.strategies import DDPStrategy
from transformers import TrainingArguments

handler = InitProcessGroupKwargs()
strategy = DDPStrategy(timeout=datetime.timedelta(minutes=10))
args = TrainingArguments("out", ddp_timeout=60)
