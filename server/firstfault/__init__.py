"""Name the rank that broke a distributed training run, the cause, the fix and its proof."""

__version__ = "0.1.0"
