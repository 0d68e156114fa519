"""YAML and JSON as nodes that know their lines, and one more entry in a mapping or list, written as the others are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_COMMENTS = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.S)


def documents(text: str) -> list[Node]:
    """Return the documents of a YAML text; none when it is not YAML."""
    try:
        return [node for node in YAML().compose_all(text) if node is not None]
    except (YAMLError, ValueError):
        return []


def json_document(text: str) -> Node | None:
    """Return a JSON text with comments, as VS Code writes it: YAML's flow style, once the comments are blanks."""
    plain = _COMMENTS.sub(lambda m: m[1] or re.sub(r"[^\r\n]", " ", m[0]), text).replace("\t", " ")
    found = documents(plain)
    return found[0] if len(found) == 1 else None


def get(node: Node | None, *keys: str) -> Node | None:
    """Return what a path of keys leads to."""
    for key in keys:
        if not isinstance(node, MappingNode):
            return None
        node = next((value for name, value in node.value if name.value == key), None)
    return node


def items(node: Node | None) -> Iterator[tuple[ScalarNode, Node]]:
    """Yield the keys and values of a mapping."""
    if isinstance(node, MappingNode):
        yield from ((key, value) for key, value in node.value if isinstance(key, ScalarNode))


def elements(node: Node | None) -> list[Node]:
    """Return the elements of a list."""
    return list(node.value) if isinstance(node, SequenceNode) else []


def scalar(node: Node | None) -> str:
    """Return a plain value's text."""
    return str(node.value) if isinstance(node, ScalarNode) else ""


def is_block(node: Node | None) -> bool:
    """Tell whether a mapping or list is written over several lines without brackets, and holds something."""
    return isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style and bool(node.value)


def insert(text: str, line: int, *new: str) -> str:
    """Return a text with lines put above a line, counted from 0."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if "\r\n" in text else "\n"
    if lines and not lines[-1].endswith(("\n", "\r")) and line >= len(lines):
        lines[-1] += end
    return "".join([*lines[:line], *(row + end for row in new), *lines[line:]])


def first_column(node: Node) -> tuple[int, int]:
    """Return the line and column of a block's first entry; for a list, those of its dash."""
    first = node.value[0][0] if isinstance(node, MappingNode) else node.value[0]
    if isinstance(node, SequenceNode):
        return node.start_mark.line, node.start_mark.column
    return first.start_mark.line, first.start_mark.column
