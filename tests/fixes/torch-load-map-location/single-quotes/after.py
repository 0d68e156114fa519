import torch as t

state = t.load('model.pt', map_location='cpu')
