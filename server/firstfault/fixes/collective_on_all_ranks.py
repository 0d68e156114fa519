"""Take a barrier or collective out of `if rank == 0:`, where the other ranks never meet it.

What comes before and after it stays in the condition. Untouched: conditions with an `else`, blocks that leave early,
collectives over what only that rank has made, and the idiom of two barriers in opposite conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._style import Statement, comment_lines, lines_of, with_lines
from firstfault.fixes._torch import calls
from firstfault.fixes._tree import Tree, called, expression_of, text_of, tree_of
from firstfault.fixes._walk import runs_at_once, walk

TITLE = "Call the barrier or collective on every rank, not inside the rank's condition"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the other ranks call nothing in its place elsewhere."

_NAMES = ("barrier", "all_reduce", "broadcast", "all_gather", "monitored_barrier", "all_gather_into_tensor")
_COLLECTIVES = frozenset(f"torch.distributed.{name}" for name in _NAMES)
_METHODS = frozenset({"wait_for_everyone"})
_RANKS = frozenset({"rank", "global_rank", "world_rank", "RANK"})
_MAIN = frozenset({"is_main_process", "is_global_zero"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Split the conditions around their collectives."""
    found = {node: cst.FlattenSentinel(_split(node, inside)) for node, inside in conditional(module)}
    return at_line(module, found, line)


def conditional(module: cst.Module) -> Iterator[tuple[cst.If, Sequence[Statement]]]:
    """Yield the conditions on the rank that hold collectives, and those statements."""
    names, tree = names_of(module), tree_of(module)
    for node in walk(module):
        if isinstance(node, cst.If) and is_rank_test(node.test, names) and isinstance(node.body, cst.IndentedBlock):
            inside = [s for s in node.body.body if _is_collective(s, names)]
            if inside and tree.statement(node) is node and _is_sure(node, inside, module, names, tree):
                yield node, inside


def is_rank_test(test: cst.BaseExpression, names: Names) -> bool:
    """Tell whether a condition holds on one rank only: `rank == 0`, `dist.get_rank() == 0`, `is_main_process`."""
    if isinstance(test, cst.Attribute):
        return test.attr.value in _MAIN
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    right = test.comparisons[0]
    if not isinstance(right.operator, cst.Equal) or not isinstance(right.comparator, cst.Integer):
        return False
    left = test.left
    if isinstance(left, cst.Call):
        return names.dotted(left.func) == "torch.distributed.get_rank" and not left.args
    if isinstance(left, cst.Attribute):
        return left.attr.value in _RANKS
    return isinstance(left, cst.Name) and left.value in _RANKS


def _is_collective(statement: cst.CSTNode, names: Names) -> bool:
    call = expression_of(statement)
    if not isinstance(call, cst.Call) or any(arg.keyword and arg.keyword.value == "group" for arg in call.args):
        return False
    return names.dotted(call.func) in _COLLECTIVES or (
        isinstance(call.func, cst.Attribute) and called(call) in _METHODS
    )


def _is_sure(node: cst.If, inside: Sequence[cst.CSTNode], module: cst.Module, names: Names, tree: Tree) -> bool:
    """Tell whether the other ranks surely lack the collective, and can call it as this one does."""
    outer: cst.CSTNode = tree.function(node) or module
    alike = [c for c in calls(outer, names, _COLLECTIVES) if any(isinstance(up, cst.If) for up in tree.up(c))]
    mine = {n for statement in inside for n in walk(statement)}
    leaves = any(isinstance(n, (cst.Return, cst.Break, cst.Continue, cst.Raise)) for n in walk(node.body, runs_at_once))
    others = [c for c in alike if c not in mine]
    made = {text_of(t.target) for n in walk(node.body) if isinstance(n, cst.Assign) for t in n.targets}
    made |= {
        text_of(item.asname.name) for n in walk(node.body) if isinstance(n, cst.With) for item in n.items if item.asname
    }
    read = {text_of(n) for s in inside for n in walk(s) if isinstance(n, (cst.Name, cst.Attribute))}
    return node.orelse is None and not leaves and not others and not made & read


def _split(node: cst.If, inside: Sequence[Statement]) -> list[cst.CSTNode]:
    """Return the condition around what is left of it, with the collectives between the parts."""
    assert isinstance(node.body, cst.IndentedBlock)
    parts: list[cst.CSTNode] = []
    held: list[cst.BaseStatement] = []
    lines = node.leading_lines
    for statement in [*node.body.body, None]:
        if statement is not None and statement not in inside:
            held.append(statement)
            continue
        if held:
            body = node.body.with_changes(body=[with_lines(held[0], comment_lines(held[0])), *held[1:]])
            parts.append(node.with_changes(body=body, leading_lines=lines))
            lines, held = (), []
        if statement is not None:
            parts.append(statement if parts else with_lines(statement, [*lines, *lines_of(statement)]))
            lines = () if parts else lines
    return parts
