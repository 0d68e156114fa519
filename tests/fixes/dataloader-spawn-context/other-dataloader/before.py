from fastai.data.core import DataLoader
from mylib import data as D

a = DataLoader(data, num_workers=4)
b = D.DataLoader(data, num_workers=4)
