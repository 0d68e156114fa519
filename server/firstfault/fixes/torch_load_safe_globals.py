"""Allow torch.load the one class that the checkpoint holds, as the log names it.

Untouched: when the log names no class, one of NumPy's internals, or one that this file does not define or import.
"""

from __future__ import annotations

import builtins
import re

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, near, replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import calls
from firstfault.fixes._tree import before, parsed, tree_of

TITLE = "Allow the class that the checkpoint holds (add_safe_globals)"
SAFETY = "safe"
SAFE_WHEN = "It is safe when that class is your own or a plain container: its code may run while the file is loaded."
READS_LOG = True

_REFUSED = re.compile(r"Unsupported (?:global: GLOBAL|class) ([A-Za-z_][\w.]*)")
# From the standard library, holding only what they are given
_PLAIN = frozenset({"argparse.Namespace", "pathlib.PosixPath", "pathlib.WindowsPath", "collections.defaultdict"})


def transform(module: cst.Module, line: int | None, said: str) -> cst.Module:
    """Allow the class on the line before the load."""
    refused = list(dict.fromkeys(_REFUSED.findall(said)))
    if len(refused) != 1:
        return module
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    known = _known(module, names, refer, refused[0])
    if known is None:
        return module
    changed: dict[cst.CSTNode, Replacement] = {}
    loads = list(calls(module, names, frozenset({"torch.load"})))
    for call in near(module, loads, line):
        statement = tree.statement(call)
        if statement is None or f"add_safe_globals([{known}])" in module.code:
            return module
        add = parsed(module, f"{refer.to('torch.serialization.add_safe_globals')}([{known}])")
        changed[statement] = before(statement, add)
    return refer.finish(replace(module, changed)) if changed else module


def _known(module: cst.Module, names: Names, refer: Refer, dotted: str) -> str | None:
    """Return how the file names a class; None when it does not know it."""
    owner, _, name = dotted.rpartition(".")
    if owner in {"__builtin__", "builtins"}:
        return name if hasattr(builtins, name) and name in {"set", "frozenset", "slice", "complex"} else None
    if any(isinstance(s, cst.ClassDef) and s.name.value == name for s in module.body):
        return name if owner == "__main__" else None
    local = names.local_name(dotted)
    if local is not None:
        return local
    return refer.to(dotted) if dotted in _PLAIN else None
