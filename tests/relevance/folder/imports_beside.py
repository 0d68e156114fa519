from trainer import fit

fit()
