import json

print("import torch")
