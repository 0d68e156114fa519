"""Change parameters by hand under `torch.no_grad()`: autograd lets nobody change a leaf in place.

Untouched: lines that are under it already, and updates that are not of a parameter by its own gradient.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._near import Replacement, at_line, covers, positions
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import with_lines
from firstfault.fixes._tree import Tree, called, expression_of, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Change the parameter under torch.no_grad()"
SAFETY = "safe"
SAFE_WHEN = "It is safe for an update by hand: its steps must not be part of the graph."

_QUIET = frozenset({"no_grad", "inference_mode"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Put the update at the line, else every update by a parameter's own gradient, under no_grad."""
    tree, refer = tree_of(module), Refer(module)
    where = positions(module) if line is not None else {}
    changed: dict[cst.CSTNode, Replacement] = {}
    for node in walk(module):
        if not isinstance(node, cst.SimpleStatementLine) or tree.line(node) is None or not (owner := _updated(node)):
            continue
        sure = f"{owner}.grad" in text_of(node) or (line is not None and covers(where[node], line))
        if sure and not _is_quiet(tree, node):
            quiet = parsed(module, f"with {refer.to('torch.no_grad')}():\n    pass")
            assert isinstance(quiet, cst.With)
            body = quiet.body.with_changes(body=[with_lines(node, ())])
            changed[node] = quiet.with_changes(body=body, leading_lines=node.leading_lines)
    return refer.finish(at_line(module, changed, line)) if changed else module


def _updated(node: cst.SimpleStatementLine) -> str:
    """Return what a line changes in place: `w -= ...` or `w.add_(...)`."""
    small = node.body[0]
    if isinstance(small, cst.AugAssign) and isinstance(small.target, (cst.Name, cst.Attribute)):
        return text_of(small.target)
    call = expression_of(node)
    name = called(call) if call is not None else ""
    if (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and name.endswith("_")
        and not name.endswith("__")
    ):
        return text_of(call.func.value)
    return ""


def _is_quiet(tree: Tree, node: cst.CSTNode) -> bool:
    """Tell whether autograd already looks away: a `with`, a decorator, or `.data`."""
    for up in tree.up(node):
        if isinstance(up, cst.With) and any(called(item.item) in _QUIET for item in up.items):
            return True
        if isinstance(up, cst.FunctionDef) and any(
            "grad" in text_of(d) or "inference" in text_of(d) for d in up.decorators
        ):
            return True
    return ".data" in text_of(node)
