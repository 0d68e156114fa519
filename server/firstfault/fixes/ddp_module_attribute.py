"""Reach the model's own attributes through DDP's `.module`: the wrapper does not have them.

Untouched: attributes that the wrapper has, and models whose wrapping does not show.
"""

from __future__ import annotations

import re

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._torch import DDP, assigned, bound
from firstfault.fixes._tree import Tree, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Reach the wrapped model's attribute through .module"
SAFETY = "safe"
SAFE_WHEN = "It is safe for reading; calling a part of the model past DDP leaves its gradients unsynchronised."
READS_LOG = True

_LACKS = re.compile(r"'?DistributedDataParallel'? object has no attribute '(\w+)'")


def transform(module: cst.Module, line: int | None, said: str) -> cst.Module:
    """Go through `.module` for the attributes that the log, or the model's class in this file, names."""
    names, tree = names_of(module), tree_of(module)
    wrapped = {name: made for name, made in bound(module, names, DDP).items() if len(made) == 1}
    wanted = set(_LACKS.findall(said))
    values = assigned(module)
    changed: dict[cst.CSTNode, cst.Attribute] = {}
    for node in walk(module):
        if not isinstance(node, cst.Attribute) or text_of(node.value) not in wrapped:
            continue
        made = wrapped[text_of(node.value)][0]
        inside = tree.function(made)
        if inside is not None and tree.function(node) is not inside and isinstance(node.value, cst.Name):
            continue
        first = len(values[text_of(node.value)]) == 1 or _follows(tree, made, node)
        if node.attr.value in wanted and first and node not in set(walk(made)):
            changed[node] = node.with_changes(value=cst.Attribute(node.value, cst.Name("module")))
    return at_line(module, changed, None if wanted else line)


def _follows(tree: Tree, made: cst.Assign, node: cst.CSTNode) -> bool:
    """Tell whether a node stands below the wrapping, in its block or deeper."""
    statement = tree.statement(made)
    siblings = list(tree.siblings(statement)) if statement is not None else []
    around = {node, *tree.up(node)}
    later = siblings[siblings.index(statement) + 1 :] if statement in siblings else []
    return any(sibling in around for sibling in later)
