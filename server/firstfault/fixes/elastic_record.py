"""Put `@record` on main, so that torchrun's summary shows the traceback of the rank that failed first.

Untouched: files that do not look at what torchrun sets, and a main with decorators of its own.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import body_of, is_guard
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import called, expression_of
from firstfault.fixes._walk import walk

TITLE = "Let torchrun's summary show the traceback (@record on main)"
SAFETY = "safe"
SAFE_WHEN = "It is safe: without torchrun it does nothing, and with it the error is also written to a file."

_RECORD = "torch.distributed.elastic.multiprocessing.errors.record"
_TORCHRUN = frozenset({"LOCAL_RANK", "RANK", "WORLD_SIZE"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Decorate the function that the guard calls."""
    names, refer = names_of(module), Refer(module)
    reads = any(isinstance(n, cst.SimpleString) and n.evaluated_value in _TORCHRUN for n in walk(module))
    if not reads and not any(calls(module, names, INIT)):
        return module
    entry = _entry(module)
    mains = [n for n in module.body if isinstance(n, cst.FunctionDef) and n.name.value == entry]
    if len(mains) != 1 or mains[0].decorators or mains[0].asynchronous:
        return module
    spawned = [n for n in walk(module) if called(n) in {"spawn", "Process", "start_processes"}]
    if spawned:
        return module
    name = cst.parse_expression(refer.to(_RECORD))
    decorated = mains[0].with_changes(decorators=[cst.Decorator(name)])
    return refer.finish(replace(module, {mains[0]: decorated}))


def _entry(module: cst.Module) -> str:
    """Return the name of the one function that the main guard calls."""
    guards = [node for node in module.body if isinstance(node, cst.If) and is_guard(node)]
    if len(guards) != 1:
        return ""
    found = [expression_of(statement) for statement in body_of(guards[0])]
    named = [c.func.value for c in found if isinstance(c, cst.Call) and isinstance(c.func, cst.Name)]
    return named[-1] if named else ""
