"""Reshape a tensor whose memory is not in order, where `view` refuses to.

Untouched: without a line, every view but those right behind a transposition; views of another dtype.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import covers, positions, replace
from firstfault.fixes._tree import called
from firstfault.fixes._walk import walk

TITLE = "Use reshape, which also takes tensors whose memory is not in order"
SAFETY = "safe"
SAFE_WHEN = "It is safe: reshape gives the same values, and copies only where view would raise."

_TURNS = frozenset({"transpose", "permute", "t", "swapaxes", "movedim"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Exchange the views on the line, else those that follow a transposition directly."""
    names = names_of(module)
    views = [n for n in walk(module) if isinstance(n, cst.Call) and _is_view(n, names)]
    where = positions(module) if line is not None else {}
    wanted = [n for n in views if line is not None and covers(where[n], line)]
    wanted = wanted or [n for n in views if isinstance(n.func, cst.Attribute) and called(n.func.value) in _TURNS]
    changed = {
        n.func: n.func.with_changes(attr=cst.Name("reshape")) for n in wanted if isinstance(n.func, cst.Attribute)
    }
    return replace(module, changed) if changed else module


def _is_view(call: cst.Call, names: Names) -> bool:
    if called(call) != "view" or not isinstance(call.func, cst.Attribute) or not call.args:
        return False
    return not any(names.dotted(arg.value).startswith("torch.") or arg.keyword for arg in call.args)
