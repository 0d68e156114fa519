"""Make the process group only where there is none yet.

Untouched: calls that a condition or a `try` already protects, and groups with a name.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import with_lines
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import Tree, called, expression_of, parsed, tree_of
from firstfault.fixes._walk import walk

TITLE = "Make the process group only where there is none yet (is_initialized)"
SAFETY = "safe"
SAFE_WHEN = "It is safe when both places want the same backend and the same ranks; the first one decides."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Ask before the call at the line, else before every call."""
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in calls(module, names, INIT):
        statement = tree.line(call)
        if statement is None or expression_of(statement) is not call or _protected(tree, statement):
            continue
        asked = parsed(module, f"if not {refer.to('torch.distributed.is_initialized')}():\n    pass")
        assert isinstance(asked, cst.If)
        inner = asked.body.with_changes(body=[with_lines(statement, ())])
        changed[statement] = asked.with_changes(body=inner, leading_lines=statement.leading_lines)
    return refer.finish(at_line(module, changed, line)) if changed else module


def _protected(tree: Tree, statement: cst.CSTNode) -> bool:
    """Tell whether something around the call, or a return above it, looks whether there is a group."""
    function = tree.function(statement)
    words = {called(n) for n in walk(function or tree.module)}
    tried = any(isinstance(up, cst.Try) for up in tree.up(statement))
    return tried or "is_initialized" in words
