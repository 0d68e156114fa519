from accelerate import Accelerator

accelerator = Accelerator()
if accelerator.is_main_process:
    print("saved")
    accelerator.wait_for_everyone()  # here
