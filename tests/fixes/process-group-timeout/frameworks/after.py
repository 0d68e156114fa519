import datetime

from accelerate import InitProcessGroupKwargs
from lightning.pytorch.strategies import DDPStrategy
from transformers import TrainingArguments

handler = InitProcessGroupKwargs(timeout=datetime.timedelta(hours=1))
strategy = DDPStrategy(timeout=datetime.timedelta(hours=1))
args = TrainingArguments("out", ddp_timeout=3600)
