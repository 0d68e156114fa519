for x in loader:
    model(x).sum().backward()
