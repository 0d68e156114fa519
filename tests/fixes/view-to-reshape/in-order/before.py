y = x.view(-1)
z = x.t().contiguous().view(-1)
