"""Walk over code only: LibCST's own visitors also visit every blank and comma, at several times the cost."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator

import libcst as cst

# Fields that hold layout, not meaning
_LAYOUT = ("whitespace", "leading_", "lines_", "lpar", "rpar", "lbr", "rbr", "comma", "semicolon", "header", "footer")


@functools.cache
def code_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """List a node type's fields that may hold code."""
    return tuple(f.name for f in dataclasses.fields(kind) if not f.name.startswith(_LAYOUT))


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node's direct children that are code."""
    for name in code_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (item for item in value if isinstance(item, cst.CSTNode))


def walk(node: cst.CSTNode, into: Callable[[cst.CSTNode], bool] | None = None) -> Iterator[cst.CSTNode]:
    """Yield a node and all below it in the order of the text; do not look below nodes for which `into` is false."""
    if into is None and isinstance(node, cst.Module):
        yield from _all(node)
        return
    yield from _walked(node, into)


def _walked(node: cst.CSTNode, into: Callable[[cst.CSTNode], bool] | None) -> Iterator[cst.CSTNode]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if into is None or current is node or into(current):
            stack.extend(reversed(list(children(current))))


@functools.lru_cache(maxsize=2)
def _all(module: cst.Module) -> tuple[cst.CSTNode, ...]:
    """Return all nodes of a module, for which every rule asks anew; nodes are never changed in place."""
    return tuple(_walked(module, None))


def runs_at_once(node: cst.CSTNode) -> bool:
    """Tell whether the code below a node runs when the node is reached, not when something is called."""
    return not isinstance(node, (cst.FunctionDef, cst.Lambda))


def parameter_list(params: cst.Parameters) -> list[cst.Param]:
    """List all parameters of a function."""
    stars = [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *stars]


def import_name(alias: cst.ImportAlias) -> str:
    """Return the name that an import binds: `np` of `import numpy as np`, `os` of `import os.path`."""
    node: cst.BaseExpression = alias.name
    if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
        return alias.asname.name.value
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def all_nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and all below it, layout included."""
    yield node
    for child in node.children:
        yield from all_nodes(child)
