"""Where a node stands: its statement, the function, class and loops around it; and statements put beside others."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TypeVar

import libcst as cst

from firstfault.fixes._style import Statement, blank_lines, comment_lines, with_lines
from firstfault.fixes._walk import children

Kind = TypeVar("Kind", bound=cst.CSTNode)


@functools.lru_cache(maxsize=2)
def tree_of(module: cst.Module) -> Tree:
    """Return a module's tree, worked out once for all that ask."""
    return Tree(module)


class Tree:
    """Know the parent of every node of a module."""

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        stack: list[cst.CSTNode] = [module]
        while stack:
            node = stack.pop()
            for child in children(node):
                self._parents[child] = node
                stack.append(child)

    def up(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield what is around a node, the innermost first."""
        while node in self._parents:
            node = self._parents[node]
            yield node

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """Return the node around a node; the module is its own."""
        return self._parents.get(node, node)

    def around(self, node: cst.CSTNode, kind: type[Kind]) -> Kind | None:
        """Return the innermost node of a kind around a node."""
        return next((n for n in self.up(node) if isinstance(n, kind)), None)

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """Return the function whose body holds a node."""
        return self.around(node, cst.FunctionDef)

    def statement(self, node: cst.CSTNode) -> Statement | None:
        """Return the full statement that holds a node; None where it shares a line with the statement around it."""
        for n in (node, *self.up(node)):
            if isinstance(n, cst.SimpleStatementSuite):
                return None
            if isinstance(n, cst.BaseStatement):
                return n
        return None

    def line(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """Return the line that holds a node and nothing else."""
        found = self.statement(node)
        return found if isinstance(found, cst.SimpleStatementLine) and len(found.body) == 1 else None

    def siblings(self, statement: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """Return the statements of the block that holds a statement."""
        block = self.parent(statement)
        return block.body if isinstance(block, (cst.Module, cst.IndentedBlock)) else ()


def parsed(module: cst.Module, text: str) -> Statement:
    """Return a statement written in the file's own line ends and indentation."""
    lines = text.split("\n")
    step = module.default_indent
    own = [step * ((len(x) - len(x.lstrip(" "))) // 4) + x.lstrip(" ") for x in lines]
    statement = cst.parse_statement(module.default_newline.join(own), config=module.config_for_parsing)
    assert isinstance(statement, cst.BaseStatement)
    return statement


def before(old: Statement, *new: Statement) -> cst.FlattenSentinel[cst.CSTNode]:
    """Return statements followed by an old one, which keeps its comments."""
    first, *rest = new
    return cst.FlattenSentinel([with_lines(first, blank_lines(old)), *rest, with_lines(old, comment_lines(old))])


def after(old: Statement, *new: Statement) -> cst.FlattenSentinel[cst.CSTNode]:
    """Return an old statement followed by new ones."""
    return cst.FlattenSentinel([old, *new])


def text_of(node: cst.CSTNode) -> str:
    """Return the code of a node."""
    return cst.Module(body=[]).code_for_node(node)


def called(node: cst.CSTNode) -> str:
    """Return the last part of the name that a call calls, `step` of `optimizer.step()`; empty for no call."""
    if not isinstance(node, cst.Call):
        return ""
    if isinstance(node.func, cst.Attribute):
        return node.func.attr.value
    return node.func.value if isinstance(node.func, cst.Name) else ""


def expression_of(line: cst.CSTNode) -> cst.BaseExpression | None:
    """Return the expression when it is all that a line does."""
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and isinstance(line.body[0], cst.Expr):
        return line.body[0].value
    return None
