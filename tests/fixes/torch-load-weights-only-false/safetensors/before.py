from safetensors.torch import load

a = load("a.safetensors")
