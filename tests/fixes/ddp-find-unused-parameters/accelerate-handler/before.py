from accelerate import Accelerator
from accelerate.utils import DistributedDataParallelKwargs as Kwargs

accelerator = Accelerator(kwargs_handlers=[Kwargs()])
