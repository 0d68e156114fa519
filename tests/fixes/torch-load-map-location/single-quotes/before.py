import torch as t

state = t.load('model.pt')
