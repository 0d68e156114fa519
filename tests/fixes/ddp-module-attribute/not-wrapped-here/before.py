def step(model, x):
    return model.encode(x)
