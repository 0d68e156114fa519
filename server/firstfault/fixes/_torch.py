"""The calls of torch and of what is built on it that several fixes look for."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import libcst as cst

from firstfault.fixes._names import Names
from firstfault.fixes._tree import called, text_of
from firstfault.fixes._walk import walk

DDP = frozenset({"torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel"})
FSDP = frozenset(
    {
        "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
        "torch.distributed.fsdp.fully_shard",
        "torch.distributed._composable.fsdp.fully_shard",
    }
)
_LIGHTNING = ("lightning", "lightning.pytorch", "pytorch_lightning", "lightning.fabric", "lightning_fabric")
TRAINERS = frozenset(f"{package}.{name}" for package in _LIGHTNING for name in ("Trainer", "Fabric"))
DDP_STRATEGIES = frozenset(f"{package}.strategies.DDPStrategy" for package in _LIGHTNING)
HF_ARGUMENTS = frozenset(
    f"transformers.{name}"
    for name in ("TrainingArguments", "Seq2SeqTrainingArguments", "training_args.TrainingArguments")
)
INIT = frozenset({"torch.distributed.init_process_group", "torch.distributed.distributed_c10d.init_process_group"})
SAMPLERS = frozenset({"torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler"})


def calls(node: cst.CSTNode, names: Names, wanted: frozenset[str]) -> Iterator[cst.Call]:
    """Yield the calls of some functions or classes, in the order of the text."""
    for n in walk(node):
        if isinstance(n, cst.Call) and names.dotted(n.func) in wanted:
            yield n


def bound(module: cst.Module, names: Names, wanted: frozenset[str]) -> dict[str, list[cst.Assign]]:
    """Return the variables, `model` or `self.model`, that are assigned what such a call returns."""
    found: dict[str, list[cst.Assign]] = {}
    for node in walk(module):
        if not isinstance(node, cst.Assign):
            continue
        value = node.value
        if isinstance(value, cst.Call) and names.dotted(value.func) in wanted:
            for target in node.targets:
                if isinstance(target.target, (cst.Name, cst.Attribute)):
                    found.setdefault(text_of(target.target), []).append(node)
    return found


def iterated(loop: cst.For) -> cst.BaseExpression:
    """Return what a loop goes over, below `enumerate`, `tqdm` and the like."""
    node = loop.iter
    while isinstance(node, cst.Call) and called(node) in {"enumerate", "tqdm", "trange", "iter", "track"} and node.args:
        node = node.args[0].value
    return node


@functools.lru_cache(maxsize=2)
def assigned(node: cst.CSTNode) -> dict[str, list[cst.BaseExpression]]:
    """Return every variable with all values that plain assignments give it."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for n in walk(node):
        if isinstance(n, cst.Assign):
            for target in n.targets:
                if isinstance(target.target, (cst.Name, cst.Attribute)):
                    found.setdefault(text_of(target.target), []).append(n.value)
    return found
