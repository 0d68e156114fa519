"""Give a DataLoader the options that need workers only when it has some: without workers they are errors.

Untouched: a worker count that cannot be read twice, and options that come in by `**kwargs`.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._tree import text_of
from firstfault.fixes._walk import walk

TITLE = "Use persistent_workers, prefetch_factor and timeout only with workers"
SAFETY = "safe"
SAFE_WHEN = "It is safe: with workers nothing changes, and without workers the options mean nothing."

_WITHOUT = {"persistent_workers": "False", "prefetch_factor": "None", "timeout": "0", "multiprocessing_context": "None"}


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Remove the options where there are no workers, and make them depend on an unknown count."""
    names, known = names_of(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for node in walk(module):
        if isinstance(node, cst.Call) and names.is_dataloader(node) and not any(arg.star for arg in node.args):
            new = _mended(node, known)
            if new is not node:
                changed[node] = new
    return at_line(module, changed, line)


def wrong(call: cst.Call, known: dict[str, cst.BaseExpression]) -> list[cst.Arg]:
    """Return the options that a loader surely without workers must not get."""
    if any(arg.star for arg in call.args):
        return []
    workers = _calls.loader_argument(call, "num_workers")
    if workers is not None and _calls.positive(workers.value, known) is not False:
        return []
    options = [arg for arg in call.args if arg.keyword is not None and arg.keyword.value in _WITHOUT]
    return [arg for arg in options if not _off(arg) and _unconditional(arg)]


def _mended(call: cst.Call, known: dict[str, cst.BaseExpression]) -> cst.Call:
    workers = _calls.loader_argument(call, "num_workers")
    some = False if workers is None else _calls.positive(workers.value, known)
    options = [arg for arg in call.args if arg.keyword is not None and arg.keyword.value in _WITHOUT and not _off(arg)]
    if some is False:
        return _calls.without(call, *options) if options else call
    if some is None and workers is not None and isinstance(workers.value, (cst.Name, cst.Attribute)):
        count = text_of(workers.value)
        conditional = {arg: arg.with_changes(value=_when(arg, count)) for arg in options if _unconditional(arg)}
        if conditional:
            return call.with_changes(args=[conditional.get(arg, arg) for arg in call.args])
    return call


def _off(arg: cst.Arg) -> bool:
    return isinstance(arg.value, (cst.Name, cst.Integer)) and arg.value.value in {"False", "None", "0"}


def _unconditional(arg: cst.Arg) -> bool:
    return isinstance(arg.value, (cst.Integer, cst.Float, cst.SimpleString)) or _calls.is_name(arg.value, "True")


def _when(arg: cst.Arg, count: str) -> cst.BaseExpression:
    assert arg.keyword is not None
    if _calls.is_name(arg.value, "True"):
        return cst.parse_expression(f"{count} > 0")
    return cst.parse_expression(f"{text_of(arg.value)} if {count} > 0 else {_WITHOUT[arg.keyword.value]}")
