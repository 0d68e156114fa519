import lightning as L


def fit():
    L.Trainer().fit()
