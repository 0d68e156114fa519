from accelerate import Accelerator, DistributedDataParallelKwargs

accelerator = Accelerator(mixed_precision="no", kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)])
