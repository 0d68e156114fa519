from accelerate import Accelerator

accelerator = Accelerator()
if accelerator.is_main_process:
    prepare()
accelerator.wait_for_everyone()
load()
