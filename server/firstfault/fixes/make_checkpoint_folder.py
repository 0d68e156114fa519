"""Make the folder that a checkpoint is written to.

Untouched: files that make folders already, open files and buffers, and paths that are computed by calls.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import assigned, calls
from firstfault.fixes._tree import before, called, parsed, text_of, tree_of
from firstfault.fixes._walk import walk
from firstfault.fixes.atomic_checkpoint import is_path

TITLE = "Make the checkpoint's folder before writing to it"
SAFETY = "safe"
SAFE_WHEN = "It is safe: a folder that exists stays as it is, also when several ranks make it at once."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Make the folder on the line before the save."""
    names, tree, refer, values = names_of(module), tree_of(module), Refer(module), assigned(module)
    if any(called(node) in {"makedirs", "mkdir"} for node in walk(module)):
        return module
    opened = {
        n.value for w in walk(module) if isinstance(w, cst.AsName) for n in walk(w.name) if isinstance(n, cst.Name)
    }
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in calls(module, names, frozenset({"torch.save"})):
        target, statement = _calls.argument(call, "f", 1), tree.line(call)
        if target is None or statement is None or not is_path(target.value, values, opened):
            continue
        if isinstance(target.value, cst.SimpleString) and "/" not in str(target.value.evaluated_value):
            continue
        system = refer.to("os.makedirs")
        if isinstance(target.value, cst.SimpleString):
            folder = target.value.raw_value.rpartition("/")[0]
            made = f"{system}({target.value.prefix}{target.value.quote}{folder}{target.value.quote}, exist_ok=True)"
            changed[statement] = before(statement, parsed(module, made))
            continue
        parent = f"{refer.to('os.path')}.dirname({text_of(target.value)})"
        parent += ' or "."'
        changed[statement] = before(statement, parsed(module, f"{system}({parent}, exist_ok=True)"))
    return refer.finish(at_line(module, changed, line)) if changed else module
