"""Which of several places is meant by a line of a traceback, and replacing nodes by others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from firstfault.fixes._walk import code_fields, walk

Node = TypeVar("Node", bound=cst.CSTNode)


def positions(module: cst.Module) -> Mapping[cst.CSTNode, CodeRange]:
    """Return where each node stands; comments and decorators above a statement do not count as it."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    found: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)
    return found


def covers(where: CodeRange, line: int) -> bool:
    """Tell whether a line lies in a range."""
    return where.start.line <= line <= where.end.line


def near(module: cst.Module, nodes: Sequence[Node], line: int | None) -> list[Node]:
    """Return the nodes on the line, else those whose variable the line reads, else all."""
    if line is None or len(nodes) < 2:
        return list(nodes)
    where = positions(module)
    on_line = [node for node in nodes if covers(where[node], line)]
    if on_line:
        return on_line
    read = {n.value for n in walk(module) if isinstance(n, cst.Name) and where[n].start.line == line}
    by_name = [node for node in nodes if read & _variables(module, node)]
    return by_name or list(nodes)


def _variables(module: cst.Module, value: cst.CSTNode) -> set[str]:
    """Return the names that are assigned exactly this value."""
    return {
        name.value
        for node in walk(module)
        if isinstance(node, cst.Assign) and node.value is value
        for target in node.targets
        for name in walk(target)
        if isinstance(name, cst.Name)
    }


def at_line(module: cst.Module, changed: Mapping[Node, Replacement], line: int | None) -> cst.Module:
    """Return the module with those of the changes made that the line means, all when it means none."""
    if not changed:
        return module
    return replace(module, {node: changed[node] for node in near(module, list(changed), line)})


Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]


def replace(module: cst.Module, changes: Mapping[Node, Replacement]) -> cst.Module:
    """Return the module with nodes replaced, split or removed; every node not above a change stays the same object."""
    changed = replaced(module, changes)
    assert isinstance(changed, cst.Module)
    return changed


def replaced(node: cst.CSTNode, changes: Mapping[Node, Replacement]) -> Replacement:
    """Return a node with nodes below it replaced."""
    if node in changes:
        return changes[node]  # type: ignore[index]
    updates: dict[str, object] = {}
    for name in code_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            new = replaced(value, changes)
            if new is not value:
                updates[name] = new
        elif isinstance(value, (list, tuple)):
            items = _replaced_items(value, changes)
            if len(items) != len(value) or any(a is not b for a, b in zip(items, value, strict=True)):
                updates[name] = items
    return node.with_changes(**updates) if updates else node


def _replaced_items(items: Sequence[object], changes: Mapping[Node, Replacement]) -> list[object]:
    found: list[object] = []
    for item in items:
        new = replaced(item, changes) if isinstance(item, cst.CSTNode) else item
        if isinstance(new, cst.FlattenSentinel):
            found += new
        elif not isinstance(new, cst.RemovalSentinel):
            found.append(new)
    return found
