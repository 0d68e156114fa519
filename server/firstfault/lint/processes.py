"""What cannot work in another process: no main guard, no pickle, CUDA after a fork, a second start method."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls, cuda_out_of_dataset, main_guard, start_method_once
from firstfault.fixes._closures import Scoped
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._sites import sites
from firstfault.fixes._starts import STARTING, Starts
from firstfault.fixes._style import is_guard, mentions_name
from firstfault.fixes._tree import called, tree_of
from firstfault.fixes._walk import runs_at_once, walk
from firstfault.fixes.lambda_to_function import meant

_FRESH = frozenset({"spawn", "forkserver"})
_NO_GUARD = 'Each spawned process imports this file and starts again here: it needs `if __name__ == "__main__":`.'
_ALWAYS_SPAWN = frozenset({"multiprocessing.spawn"})


def spawn_without_guard(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find statements that surely spawn while the file is imported, as each child does again."""
    names, spawning = names_of(module), _spawns(module)
    if not spawning or main_guard.transform(module, None) is module:
        return
    starts = Starts(module, names)
    for statement in module.body:
        if is_guard(statement) or mentions_name(statement) or isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            continue
        if starts.starts(statement):
            yield statement, _NO_GUARD
            return


def _spawns(module: cst.Module) -> bool:
    """Tell whether all that the file starts is spawned, by its own words."""
    names = names_of(module)
    found = [n for n in walk(module) if isinstance(n, cst.Call)]
    methods = [m for call in found for m in _methods(call, names)]
    always = any(names.dotted(call.func) in _ALWAYS_SPAWN for call in found)
    return bool(methods or always) and all(method in _FRESH for method in methods)


def _methods(call: cst.Call, names: Names) -> Iterator[str]:
    """Yield the start methods that a call names; a computed one reads as empty."""
    given = None
    if names.dotted(call.func) in {"multiprocessing.set_start_method", "multiprocessing.get_context"}:
        given = _calls.argument(call, "method", 0)
        if given is None:
            yield ""
    elif names.is_dataloader(call):
        given = _calls.loader_argument(call, "multiprocessing_context")
    if given is not None and not isinstance(given.value, (cst.Call, cst.Name)):
        yield str(given.value.evaluated_value) if isinstance(given.value, cst.SimpleString) else ""


def unpicklable_under_spawn(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find lambdas and local functions that are handed to processes which are surely spawned."""
    if not _spawns(module):
        return
    names = names_of(module)
    found = sites(module, names, assume_workers=False)
    scoped = Scoped(module) if found else None
    for site in found:
        if scoped is not None and meant(scoped, site) and _is_fresh(site.call, module, names):
            yield (
                site.value,
                "A lambda or local function cannot be pickled, and a spawned process gets its work pickled.",
            )


def _is_fresh(call: cst.Call, module: cst.Module, names: Names) -> bool:
    """Tell whether this very call starts by spawn: by itself, by its context, or by the method set for the program."""
    dotted = names.dotted(call.func)
    if dotted in _ALWAYS_SPAWN or dotted.startswith("multiprocessing.context."):
        return True
    if names.is_dataloader(call):
        context = _calls.loader_argument(call, "multiprocessing_context")
        if context is not None:
            return isinstance(context.value, cst.SimpleString) and context.value.evaluated_value in _FRESH
    sets = any(
        names.dotted(n.func) == "multiprocessing.set_start_method" for n in walk(module) if isinstance(n, cst.Call)
    )
    return sets and (dotted in STARTING or names.is_dataloader(call))


def start_method_twice(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find a second call that surely follows a first one in the same process."""
    for setting in start_method_once.second(module):
        yield setting, "The start method has been set already: this raises RuntimeError (force=True would override it)."


def cuda_in_worker(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find CUDA in what forked DataLoader workers run, in a program that uses CUDA itself."""
    names, known, tree = names_of(module), _calls.constants(module), tree_of(module)
    loaders = [n for n in walk(module) if isinstance(n, cst.Call) and names.is_dataloader(n)]
    forked = [
        call
        for call in loaders
        if (workers := _calls.loader_argument(call, "num_workers")) is not None
        and _calls.positive(workers.value, known)
        and _calls.loader_argument(call, "multiprocessing_context") is None
    ]
    if not forked or len(forked) != len(loaders) or _starts_fresh(module, names):
        return
    workers_run = list(cuda_out_of_dataset.worker_functions(module, names))
    inside = {n for function in workers_run for n in walk(function)}
    used = any(called(n) == "cuda" for n in walk(module) if n not in inside)
    used |= any(
        cuda_out_of_dataset.on_cpu(n) is not None for n in walk(module) if isinstance(n, cst.Call) and n not in inside
    )
    if not used:
        return
    for function in workers_run:
        if function.name.value == "__init__":
            continue
        for node in walk(function.body, runs_at_once):
            if isinstance(node, cst.Call) and cuda_out_of_dataset.on_cpu(node) is not None and tree.parent(node):
                yield (
                    node,
                    "A forked worker cannot use CUDA once this process has: move the batch in the training loop.",
                )


def _starts_fresh(module: cst.Module, names: Names) -> bool:
    return any(
        names.dotted(n.func) == "multiprocessing.set_start_method" for n in walk(module) if isinstance(n, cst.Call)
    )
