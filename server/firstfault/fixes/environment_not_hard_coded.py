"""Keep what the launcher put in the environment: address, port and ranks written in the file are the fallback only.

Untouched: values that are computed, and files that start their ranks themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import called, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Let the launcher choose address, port and ranks, and keep the written ones as a fallback"
SAFETY = "safe"
SAFE_WHEN = "It is safe: without a launcher the values are the same as before."

_STARTING = frozenset({"spawn", "Process", "start_processes", "Popen", "launch", "run"})
_OWN = frozenset({"MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"})


def overwritten(module: cst.Module) -> Iterator[cst.Assign | cst.Call]:
    """Yield the assignments and calls that put literals in the launcher's place, where a launcher is to be expected."""
    names, tree = names_of(module), tree_of(module)
    if any(called(n) in _STARTING for n in walk(module)) or not any(calls(module, names, INIT)):
        return
    for node in walk(module):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and tree.line(node) is not None:
            asked = any(isinstance(up, (cst.If, cst.Try)) for up in tree.up(node))
            if not asked and _fallback(node, names) is not None:
                yield node


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Exchange assignments to the environment, and literal ranks of init_process_group."""
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    if any(called(n) in _STARTING for n in walk(module)):
        return module
    changed: dict[cst.CSTNode, Replacement] = {}
    for node in walk(module):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and tree.line(node) is not None:
            new = _fallback(node, names)
            if new is not None:
                changed[node] = new
    for call in calls(module, names, INIT):
        new_call = _from_environment(module, call, refer)
        if new_call is not call:
            changed[call] = new_call
    return refer.finish(at_line(module, changed, line)) if changed else module


def _fallback(node: cst.Assign, names: Names) -> cst.Expr | None:
    target = node.targets[0].target
    if not isinstance(target, cst.Subscript) or names.dotted(target.value) != "os.environ" or len(target.slice) != 1:
        return None
    key = target.slice[0].slice
    if not isinstance(key, cst.Index) or not isinstance(key.value, cst.SimpleString):
        return None
    if key.value.evaluated_value not in _OWN or not isinstance(node.value, cst.SimpleString):
        return None
    call = f"{text_of(target.value)}.setdefault({key.value.value}, {node.value.value})"
    return cst.Expr(cst.parse_expression(call))


def _from_environment(module: cst.Module, call: cst.Call, refer: Refer) -> cst.Call:
    found = call
    for keyword, variable in (("rank", "RANK"), ("world_size", "WORLD_SIZE")):
        given = _calls.argument(call, keyword)
        if given is not None and isinstance(given.value, cst.Integer):
            quote = "'" if module.code.count("'") > module.code.count('"') else '"'
            read = f"{refer.to('os.environ')}.get({quote}{variable}{quote}, {quote}{given.value.value}{quote})"
            found = _calls.with_keyword(found, keyword, cst.parse_expression(f"int({read})"))
    return found
