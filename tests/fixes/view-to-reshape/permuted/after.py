def forward(self, x):
    return x.permute(0, 2, 1).reshape(x.size(0), -1)
