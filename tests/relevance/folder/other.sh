# torchrun train.py
echo torchrun
