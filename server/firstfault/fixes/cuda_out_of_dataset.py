"""Keep datasets and collate functions on the CPU, and move each batch in the loop that trains.

Untouched: when the loop over the batches does not show, or moves something else already in a way that is not plain.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, replace
from firstfault.fixes._torch import TRAINERS, assigned, calls, iterated
from firstfault.fixes._tree import called, parsed
from firstfault.fixes._walk import walk

TITLE = "Move batches to the GPU in the training loop, not in the dataset or collate function"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the dataset gives tensors or tuples of them, and nothing in it needs the GPU."

_METHODS = frozenset({"__init__", "__getitem__", "__iter__", "__getitems__"})
_DATASETS = frozenset({"Dataset", "IterableDataset", "TensorDataset", "VisionDataset"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Take the moves out of what workers run, and put one into the loops over the loader."""
    names = names_of(module)
    changed: dict[cst.CSTNode, Replacement] = {}
    for function in worker_functions(module, names):
        for node in walk(function.body):
            if isinstance(node, cst.Call):
                new = on_cpu(node)
                if new is not None:
                    changed[node] = new
    if not changed:
        return module
    moved = _moved(module, names)
    if moved is None:
        return module
    return replace(replace(module, changed), {}) if not moved else _both(module, changed, moved)


def _both(
    module: cst.Module, changed: dict[cst.CSTNode, Replacement], moved: dict[cst.CSTNode, Replacement]
) -> cst.Module:
    inside = {n for loop in moved for n in walk(loop)}
    return module if inside & set(changed) else replace(module, {**changed, **moved})


def worker_functions(module: cst.Module, names: Names) -> Iterator[cst.FunctionDef]:
    """Yield the methods of datasets and the collate functions, all of which workers run."""
    collates = {
        arg.value.value
        for n in walk(module)
        if isinstance(n, cst.Call) and names.is_dataloader(n)
        if (arg := _calls.loader_argument(n, "collate_fn")) is not None and isinstance(arg.value, cst.Name)
    }
    for node in module.body:
        if isinstance(node, cst.FunctionDef) and node.name.value in collates:
            yield node
        if isinstance(node, cst.ClassDef) and any(
            names.dotted(b.value).rpartition(".")[2] in _DATASETS for b in node.bases
        ):
            yield from (m for m in node.body.body if isinstance(m, cst.FunctionDef) and m.name.value in _METHODS)


def on_cpu(call: cst.Call) -> Replacement | None:
    """Return what is moved, without the move; None for any other call."""
    if called(call) == "cuda" and isinstance(call.func, cst.Attribute):
        return (
            call.func.value if not isinstance(call.func.value, cst.Name) or call.func.value.value != "torch" else None
        )
    if called(call) == "to" and isinstance(call.func, cst.Attribute) and len(call.args) == 1 and _is_gpu(call.args[0]):
        return call.func.value
    device = _calls.argument(call, "device")
    return _calls.without(call, device) if device is not None and _is_gpu(device) else None


def _is_gpu(arg: cst.Arg) -> bool:
    return isinstance(arg.value, cst.SimpleString) and str(arg.value.evaluated_value).startswith("cuda")


def _moved(module: cst.Module, names: Names) -> dict[cst.CSTNode, Replacement] | None:
    """Return the loops over loaders with the move added where it is missing; None when there is no such loop."""
    loaders = {name for name, values in assigned(module).items() if any(names.is_dataloader(v) for v in values)}
    loops = [n for n in walk(module) if isinstance(n, cst.For) and _goes_over(iterated(n), loaders, names)]
    if not loops:
        return {} if any(calls(module, names, TRAINERS)) else None
    found: dict[cst.CSTNode, Replacement] = {}
    for loop in loops:
        if any(called(n) in {"to", "cuda"} for n in walk(loop.body)):
            continue
        new = _moving(module, loop)
        if new is None:
            return None
        found[loop] = new
    return found


def _goes_over(over: cst.BaseExpression, loaders: set[str], names: Names) -> bool:
    """Tell whether a loop goes over a loader, by its name or made in place."""
    return names.is_dataloader(over) or (isinstance(over, cst.Name) and over.value in loaders)


def _moving(module: cst.Module, loop: cst.For) -> cst.For | None:
    """Return a loop that first moves its batch; None when the batch is no plain name or tuple of names."""
    target: cst.BaseExpression = loop.target
    if called(loop.iter) == "enumerate":
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return None
        target = target.elements[1].value
    if isinstance(target, cst.Tuple) and not all(isinstance(e, cst.Element) for e in target.elements):
        return None
    parts = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
    if not all(isinstance(part, cst.Name) for part in parts) or not isinstance(loop.body, cst.IndentedBlock):
        return None
    names = [part.value for part in parts if isinstance(part, cst.Name)]
    quote = "'" if module.code.count("'") > module.code.count('"') else '"'
    values = ", ".join(f"{name}.to({quote}cuda{quote})" for name in names)
    line = parsed(module, f"{', '.join(names)} = {values}")
    return loop.with_changes(body=loop.body.with_changes(body=[line, *loop.body.body]))
