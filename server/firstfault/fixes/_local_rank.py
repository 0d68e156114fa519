"""How a file names the local rank at some place: a variable set before, else what torchrun puts in the environment."""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._refer import Refer
from firstfault.fixes._tree import Tree
from firstfault.fixes._walk import parameter_list, walk


def before(tree: Tree, statement: cst.CSTNode) -> str | None:
    """Return `local_rank` when the function or module has given it a value by then."""
    function = tree.function(statement)
    if function is not None and any(p.name.value == "local_rank" for p in parameter_list(function.params)):
        return "local_rank"
    earlier: list[cst.CSTNode] = []
    for block in (statement, *tree.up(statement)):
        around = list(tree.siblings(block))
        if block in around:
            earlier += around[: around.index(block)]
    for node in earlier:
        if isinstance(node, cst.SimpleStatementLine) and any(_names_it(n) for n in walk(node)):
            return "local_rank"
    return None


def _names_it(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.AssignTarget) and any(
        isinstance(n, cst.Name) and n.value == "local_rank" for n in walk(node.target)
    )


def from_environment(refer: Refer) -> str:
    """Return the expression that reads it from the environment."""
    return f'int({refer.to("os.environ")}["LOCAL_RANK"])'
