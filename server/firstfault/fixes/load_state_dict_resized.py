"""Load the weights whose shapes fit, and leave the others as the model made them, e.g. after the vocabulary grew.

Untouched: a state that is computed in the call itself, and optimizers.
"""

from __future__ import annotations

import re

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._near import Replacement, near, replace
from firstfault.fixes._tree import before, called, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Load the weights whose shapes fit, and leave the resized ones new"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the shapes changed on purpose and the resized layers are trained again."
READS_LOG = True

_SIZES = re.compile(r"size mismatch for ([\w.]+)")


def transform(module: cst.Module, line: int | None, said: str) -> cst.Module:
    """Take the weights of other shapes out before they are loaded."""
    if not _SIZES.search(said):
        return module
    tree = tree_of(module)
    loads = [n for n in walk(module) if isinstance(n, cst.Call) and called(n) == "load_state_dict" and _is_plain(n)]
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in near(module, loads, line):
        statement = tree.line(call)
        assert isinstance(call.func, cst.Attribute)
        model, state = text_of(call.func.value), text_of(call.args[0].value)
        if statement is None or re.search(r"optim|sched|scaler|sampler", model) or f"own = {model}" in module.code:
            continue
        if any(isinstance(n, cst.Name) and n.value == "own" for n in walk(module)):
            continue
        filtered = f"{{k: v for k, v in {state}.items() if k not in own or v.shape == own[k].shape}}"
        new = _calls.with_keyword(call, "strict", cst.Name("False"))
        lines = [parsed(module, f"own = {model}.state_dict()"), parsed(module, f"{state} = {filtered}")]
        done = list(before(statement, *lines))
        changed[statement] = cst.FlattenSentinel([*done[:-1], replace_call(done[-1], call, new)])
    return replace(module, changed) if changed else module


def replace_call(statement: cst.CSTNode, old: cst.Call, new: cst.Call) -> cst.CSTNode:
    """Return a statement with one call exchanged."""
    return statement.deep_replace(old, new)


def _is_plain(call: cst.Call) -> bool:
    """Tell whether a call loads a variable or an item of one, which can be assigned."""
    return (
        isinstance(call.func, cst.Attribute)
        and len(call.args) <= 2
        and bool(call.args)
        and isinstance(call.args[0].value, (cst.Name, cst.Subscript))
        and (len(call.args) == 1 or (call.args[1].keyword is not None and call.args[1].keyword.value == "strict"))
    )
