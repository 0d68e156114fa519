"""Take the process group down at the end of the function that works with it.

Untouched: a file that does so anywhere, and one that gives the group to others to use.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import is_guard, lines_of, with_lines
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import Tree, called, parsed, tree_of
from firstfault.fixes._walk import runs_at_once, walk

TITLE = "Take the process group down at the end (destroy_process_group)"
SAFETY = "safe"
SAFE_WHEN = "It is safe when nothing after this function uses the group; on NCCL it frees the GPU's communicators."

_HELPER = 2  # statements after init_process_group in a function that only sets up


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the call at the end of the block that makes the group, or that calls the helper which does."""
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    made = list(calls(module, names, INIT))
    if len(made) != 1 or any(called(node) == "destroy_process_group" for node in walk(module)):
        return module
    block = _block(module, tree, made[0])
    if block is None:
        return module
    quiet = tree.parent(tree.statement(made[0]) or made[0]) is not block  # conditional, or in a helper
    call = f"{refer.to('torch.distributed.destroy_process_group')}()"
    asked = f"if {refer.to('torch.distributed.is_initialized')}():\n    {call}"
    return refer.finish(_ended(module, block, with_lines(parsed(module, asked if quiet else call), ())))


def _block(
    module: cst.Module, tree: Tree, call: cst.CSTNode, helper: int = _HELPER
) -> cst.IndentedBlock | cst.Module | None:
    """Return the block whose end is the end of the work; None when that does not show."""
    function = tree.function(call)
    if function is None:
        guards = [up for up in tree.up(call) if isinstance(up, cst.If) and is_guard(up)]
        inside = guards[0].body if guards else module
        return inside if isinstance(inside, (cst.IndentedBlock, cst.Module)) and inside.body else None
    if tree.around(function, cst.ClassDef) or not isinstance(function.body, cst.IndentedBlock) or function.asynchronous:
        return None
    if any(isinstance(n, (cst.Yield, cst.Return)) and _value(n) for n in walk(function.body, runs_at_once)):
        return None
    top = next(s for s in function.body.body if call in set(walk(s)))
    if len(function.body.body) - 1 - list(function.body.body).index(top) > helper:
        return function.body
    callers = [n for n in walk(module) if isinstance(n, cst.Call) and _calls_by_name(n, function.name.value)]
    return _block(module, tree, callers[0], 0) if len(callers) == 1 and tree.line(callers[0]) is not None else None


def _value(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Yield) or getattr(node, "value", None) is not None


def _calls_by_name(call: cst.Call, name: str) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value == name


def _ended(module: cst.Module, block: cst.IndentedBlock | cst.Module, new: cst.BaseStatement) -> cst.Module:
    """Return the module with one more statement at the end of a block, before a return that ends it."""
    body = list(block.body)
    last = body[-1]
    ends = isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[0], cst.Return)
    if ends:
        assert isinstance(last, cst.SimpleStatementLine)
        body[-1:] = [with_lines(new, lines_of(last)), with_lines(last, ())]
    else:
        body.append(new)
    changed = block.with_changes(body=body)
    return changed if isinstance(changed, cst.Module) else replace(module, {block: changed})
