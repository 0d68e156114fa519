def forward(self, x):
    return x.permute(0, 2, 1).view(x.size(0), -1)
