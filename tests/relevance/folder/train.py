import os, torch.nn as nn
