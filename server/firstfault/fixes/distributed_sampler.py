"""Give each rank its own part of the training data: without a DistributedSampler, every rank trains on all of it.

Untouched: loaders that do not shuffle, datasets that are computed in place, files that wrap no model in DDP, and files
whose data are split by a library.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import DDP, INIT, calls
from firstfault.fixes._tree import text_of
from firstfault.fixes._walk import walk

TITLE = "Give each rank its own part of the data (DistributedSampler)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the process group exists before the loader is made, and the dataset has a length."

_SAMPLER = ("torch.utils.data.DistributedSampler", "torch.utils.data.distributed.DistributedSampler")
_SPLITTERS = frozenset({"rank", "get_rank", "Subset", "random_split", "split_dataset_by_node", "shard", "local_rank"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Exchange the shuffle of training loaders for a sampler."""
    refer = Refer(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for call, shuffle, dataset in missing(module):
        sampler = cst.parse_expression(f"{refer.to(*_SAMPLER)}({dataset})")
        changed[call] = _calls.with_keyword(
            call.with_changes(
                args=[a.with_changes(keyword=cst.Name("sampler")) if a is shuffle else a for a in call.args]
            ),
            "sampler",
            sampler,
        )
    return refer.finish(at_line(module, changed, line)) if changed else module


def missing(module: cst.Module) -> Iterator[tuple[cst.Call, cst.Arg, str]]:
    """Yield the shuffling loaders of a DDP program that have no sampler, with that argument and their dataset."""
    names, known = names_of(module), _calls.constants(module)
    if not any(calls(module, names, INIT)) or not any(calls(module, names, DDP)):
        return
    for node in walk(module):
        if not isinstance(node, cst.Call) or not names.is_dataloader(node) or any(arg.star for arg in node.args):
            continue
        shuffle = _calls.argument(node, "shuffle")
        dataset = _calls.loader_argument(node, "dataset")
        if shuffle is None or not _calls.is_name(shuffle.value, "True") or dataset is None:
            continue
        if _calls.loader_argument(node, "batch_sampler") is not None or _calls.loader_argument(node, "sampler"):
            continue
        if isinstance(dataset.value, (cst.Name, cst.Attribute)) and not _is_split(dataset.value, known):
            yield node, shuffle, text_of(dataset.value)


def _is_split(dataset: cst.BaseExpression, known: dict[str, cst.BaseExpression]) -> bool:
    """Tell whether a dataset may already be one rank's part: it must be made here, from nothing that names a rank."""
    if not isinstance(dataset, cst.Name) or dataset.value not in known:
        return True
    return any(isinstance(n, cst.Name) and n.value in _SPLITTERS for n in walk(known[dataset.value]))
