"""Gather a sharded model's state on every rank and write it on one: gathering is a collective.

Untouched: models whose sharding does not show in the file.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, at_line, replaced
from firstfault.fixes._style import Statement, blank_lines, body_of, comment_lines, with_lines
from firstfault.fixes._torch import FSDP, bound, calls
from firstfault.fixes._tree import called, parsed, text_of, tree_of
from firstfault.fixes._walk import runs_at_once, walk
from firstfault.fixes.collective_on_all_ranks import is_rank_test

TITLE = "Gather the sharded state on every rank, and write it on one"
SAFETY = "safe"
SAFE_WHEN = "It is safe when every rank reaches this place; the memory that the state takes is the same as before."

_GATHERING = frozenset(
    f"torch.distributed.checkpoint.state_dict.{name}"
    for name in ("get_model_state_dict", "get_optimizer_state_dict", "get_state_dict")
)


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Take the gathering calls out of conditions on the rank."""
    changed = {node: _hoisted(module, node, gathering) for node, gathering in conditional(module)}
    return at_line(module, changed, line)


def conditional(module: cst.Module) -> Iterator[tuple[cst.If, list[cst.Call]]]:
    """Yield the conditions on the rank that hold gathering calls, and those calls."""
    names, tree = names_of(module), tree_of(module)
    sharded = set(bound(module, names, FSDP))
    sharded |= {text_of(c.args[0].value) for c in calls(module, names, FSDP) if c.args}
    for node in walk(module):
        if not isinstance(node, cst.If) or not is_rank_test(node.test, names) or tree.statement(node) is not node:
            continue
        gathering = [
            n for n in walk(node.body, runs_at_once) if isinstance(n, cst.Call) and _gathers(n, names, sharded)
        ]
        if gathering and not _depends(node, gathering):
            yield node, gathering


def _gathers(call: cst.Call, names: Names, sharded: set[str]) -> bool:
    if names.dotted(call.func) in _GATHERING:
        return True
    if not isinstance(call.func, cst.Attribute):
        return False
    return (called(call) == "state_dict" and text_of(call.func.value) in sharded and not call.args) or (
        called(call) == "get_state_dict" and text_of(call.func.value) == "accelerator"
    )


def _depends(node: cst.If, gathering: list[cst.Call]) -> bool:
    """Tell whether a gathering call reads what the condition's own block makes."""
    made = {
        n.value
        for s in walk(node.body)
        if isinstance(s, cst.AssignTarget)
        for n in walk(s.target)
        if isinstance(n, cst.Name)
    }
    made |= {
        n.value for s in walk(node.body) if isinstance(s, cst.AsName) for n in walk(s.name) if isinstance(n, cst.Name)
    }
    inside = [n for call in gathering for n in walk(call)]
    keywords = {n.keyword for n in inside if isinstance(n, cst.Arg)}
    return any(isinstance(n, cst.Name) and n not in keywords and n.value in made for n in inside)


def _hoisted(module: cst.Module, node: cst.If, gathering: list[cst.Call]) -> cst.FlattenSentinel[cst.CSTNode]:
    """Return the gathering as statements of their own, and the condition that uses what they give."""
    taken = {n.value for n in walk(module) if isinstance(n, cst.Name)}
    moved: list[Statement] = []
    changes: dict[cst.CSTNode, Replacement] = {}
    body = body_of(node)
    for call in gathering:
        whole = next((s for s in body if _assigns(s, call)), None)
        if whole is not None:
            moved.append(with_lines(whole, ()))
            changes[whole] = cst.RemoveFromParent()
            continue
        name = next(n for n in (f"{_stem(call)}state{i or ''}" for i in range(99)) if n not in taken)
        taken.add(name)
        moved.append(parsed(module, f"{name} = {text_of(call)}"))
        changes[call] = cst.Name(name)
    rest = replaced(node, changes)
    assert isinstance(rest, cst.If)
    if not body_of(rest):
        rest = rest.with_changes(body=cst.IndentedBlock(body=[parsed(module, "pass")]))
    moved[0] = with_lines(moved[0], blank_lines(node))
    return cst.FlattenSentinel([*moved, with_lines(rest, comment_lines(node))])


def _assigns(statement: cst.CSTNode, call: cst.Call) -> bool:
    """Tell whether a line does nothing but name what the call returns."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    small = statement.body[0]
    return isinstance(small, cst.Assign) and small.value is call


def _stem(call: cst.Call) -> str:
    """Return the first part of a name for what a call gives, e.g. `model_`."""
    owner = call.func.value if isinstance(call.func, cst.Attribute) and called(call) == "state_dict" else None
    return f"{owner.value}_" if isinstance(owner, cst.Name) else "full_"
