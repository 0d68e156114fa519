"""Where a file hands functions to other processes: DataLoader, Dataset transforms, Process, pools, spawn.

In: a module. Out: `Site`s, each the call and one lambda, or the name of a function, that must be picklable there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import CONTEXT, Names
from firstfault.fixes._walk import walk

_POOLS = frozenset({"multiprocessing.Pool", f"{CONTEXT}.Pool", "concurrent.futures.ProcessPoolExecutor"})
_PROCESSES = frozenset({"multiprocessing.Process", f"{CONTEXT}.Process", f"{CONTEXT}.SpawnProcess"})
_SPAWNS = frozenset({"multiprocessing.spawn", "multiprocessing.start_processes"})
_POOL_METHODS = frozenset(
    {"map", "map_async", "imap", "imap_unordered", "starmap", "starmap_async", "apply", "apply_async", "submit"}
)
_TRANSFORMS = frozenset({"transform", "target_transform", "transforms", "loader", "is_valid_file", "preprocess"})

_HF_TRAINERS = frozenset({"transformers.Trainer", "transformers.Seq2SeqTrainer"})


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """A lambda or a name given to another process; `role` names a function that has no name yet."""

    call: cst.Call
    value: cst.Lambda | cst.Name
    role: str
    arity: int | None


def sites(module: cst.Module, names: Names, *, assume_workers: bool) -> list[Site]:
    """List what the file hands to other processes, in the order of the text."""
    known = _calls.constants(module)
    calls = [node for node in walk(module) if isinstance(node, cst.Call)]
    pools = _pool_names(module, names)
    loaders = [call for call in calls if names.is_dataloader(call)]
    working = {call for call in loaders if assume_workers or _has_workers(call, known)}
    found = []
    for call in calls:
        given = list(_given(call, names, pools))
        if call in working:
            given += _loader_arguments(call)
        if working or (assume_workers and not loaders):
            given += _transforms(call, names)
        if names.dotted(call.func) in _HF_TRAINERS and (assume_workers or _hf_workers(calls, known)):
            collator = _calls.argument(call, "data_collator", 2)
            given += [(collator.value, "collate_fn", 1)] if collator is not None else []
        for value, role, arity in given:
            found += [Site(call, part, role, arity) for part in _functions(value, names)]
    return found


Given = tuple[cst.BaseExpression, str, int | None]


def _hf_workers(calls: list[cst.Call], known: dict[str, cst.BaseExpression]) -> bool:
    """Tell whether Hugging Face's arguments may ask for workers."""
    given = [workers.value for call in calls if (workers := _calls.argument(call, "dataloader_num_workers"))]
    return any(_calls.positive(value, known) is not False for value in given)


def _has_workers(call: cst.Call, known: dict[str, cst.BaseExpression]) -> bool:
    """Tell whether a loader may have workers."""
    workers = _calls.loader_argument(call, "num_workers")
    if workers is None:
        return any(arg.star for arg in call.args)
    return _calls.positive(workers.value, known) is not False


def _loader_arguments(call: cst.Call) -> Iterator[Given]:
    for name in ("collate_fn", "worker_init_fn"):
        arg = _calls.loader_argument(call, name)
        if arg is not None:
            yield arg.value, name, 1


def _transforms(call: cst.Call, names: Names) -> Iterator[Given]:
    """Yield the functions that a dataset keeps: it is pickled with them."""
    dotted = names.dotted(call.func)
    if dotted in {"torchvision.transforms.Lambda", "torchvision.transforms.Compose"} and call.args:
        yield call.args[0].value, "transform", 1
    elif dotted.rpartition(".")[2][:1].isupper() and not names.is_dataloader(call):
        for arg in call.args:
            if arg.keyword is not None and arg.keyword.value in _TRANSFORMS:
                yield arg.value, arg.keyword.value, 1


def _given(call: cst.Call, names: Names, pools: set[str]) -> Iterator[Given]:
    """Yield what a call hands to processes of the multiprocessing family."""
    dotted = names.dotted(call.func)
    if dotted in _PROCESSES:
        passed = _calls.argument(call, "args", 3)
        target = _calls.argument(call, "target", 1)
        if target is not None:
            yield target.value, "run_process", None if passed or _calls.argument(call, "kwargs", 4) else 0
        yield from _elements(passed)
    elif dotted in _SPAWNS:
        target = _calls.argument(call, "fn", 0)
        if target is not None:
            yield target.value, "run_worker", None
        yield from _elements(_calls.argument(call, "args", 1))
    elif dotted in _POOLS:
        initializer = _calls.argument(call, "initializer", 1 if dotted.endswith("Pool") else 2)
        if initializer is not None:
            yield initializer.value, "init_worker", None
    elif isinstance(call.func, cst.Attribute) and call.args and _is_pool(call.func.value, names, pools):
        method = call.func.attr.value
        if method in _POOL_METHODS:
            yield call.args[0].value, "run_task", 1 if "map" in method and "star" not in method else None


def _elements(arg: cst.Arg | None) -> Iterator[Given]:
    """Yield the arguments in `args=(...)`."""
    if arg is not None and isinstance(arg.value, (cst.Tuple, cst.List)):
        for element in arg.value.elements:
            if isinstance(element.value, (cst.Lambda, cst.Name, cst.Call)):
                yield element.value, "passed_function", None


def _functions(value: cst.BaseExpression, names: Names) -> Iterator[cst.Lambda | cst.Name]:
    """Yield the lambdas and names in an argument: in a choice, a list, a `partial`, a transform of transforms."""
    if isinstance(value, (cst.Lambda, cst.Name)):
        yield value
    elif isinstance(value, cst.IfExp):
        yield from _functions(value.body, names)
        yield from _functions(value.orelse, names)
    elif isinstance(value, cst.BooleanOperation):
        yield from _functions(value.left, names)
        yield from _functions(value.right, names)
    elif isinstance(value, (cst.List, cst.Tuple)):
        for element in value.elements:
            yield from _functions(element.value, names)
    elif isinstance(value, cst.Call) and value.args:
        dotted = names.dotted(value.func)
        if dotted == "functools.partial" or dotted.rpartition(".")[2] in {"Compose", "Lambda"}:
            yield from _functions(value.args[0].value, names)


def _is_pool(node: cst.BaseExpression, names: Names, pools: set[str]) -> bool:
    if isinstance(node, cst.Call):
        return names.dotted(node.func) in _POOLS
    return _text(node) in pools


def _pool_names(module: cst.Module, names: Names) -> set[str]:
    """Return the names and attributes of `self` that hold a process pool."""
    found: set[str] = set()
    for node in walk(module):
        if isinstance(node, cst.Assign) and _is_pool(node.value, names, set()):
            found.update(_text(target.target) for target in node.targets)
        elif isinstance(node, cst.WithItem) and node.asname is not None and _is_pool(node.item, names, set()):
            found.add(_text(node.asname.name))
    return found - {""}


def _text(node: cst.CSTNode) -> str:
    """Return `pool` or `self.pool`."""
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        return f"{node.value.value}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""
