import io

import torch

buffer = io.BytesIO()
torch.save(x, buffer)
with open("a.pt", "wb") as out:
    torch.save(x, out)
