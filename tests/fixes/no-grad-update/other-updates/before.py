total = 0
total += 1
x.add_(y)
