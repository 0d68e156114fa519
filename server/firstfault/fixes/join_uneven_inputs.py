"""Let ranks that run out of batches first keep the others company (`with model.join():`).

Untouched: loops with collectives of their own, and models whose wrapping in DDP does not show.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._style import with_lines
from firstfault.fixes._torch import DDP, bound
from firstfault.fixes._tree import Tree, called, parsed, text_of, tree_of
from firstfault.fixes._walk import runs_at_once, walk

TITLE = "Let ranks with fewer batches join in until all are done (with model.join())"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the loop calls no collective of its own: only DDP's are matched by ranks that are done."

_COLLECTIVES = frozenset(
    {
        "all_reduce",
        "all_gather",
        "all_gather_object",
        "barrier",
        "broadcast",
        "reduce",
        "gather",
        "all_gather_into_tensor",
    }
    | {"reduce_scatter", "all_to_all", "broadcast_object_list", "join", "Join", "wait_for_everyone"}
)


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Put the loops that train such a model into its join."""
    names, tree = names_of(module), tree_of(module)
    found = {name: made for name, made in bound(module, names, DDP).items() if len(made) == 1}
    if len(found) != 1:
        return module
    models, wrapped = list(found), next(iter(found.values()))
    changed: dict[cst.CSTNode, cst.With] = {}
    for loop in walk(module):
        if isinstance(loop, cst.For) and _trains(loop) and tree.statement(loop) is loop:
            around = [called(item.item) for up in tree.up(loop) if isinstance(up, cst.With) for item in up.items]
            if not _COLLECTIVES & set(around) and _reads(loop, models[0]) and _same(tree, loop, wrapped[0]):
                changed[loop] = _joined(module, loop, models[0])
    return at_line(module, changed, line)


def _trains(loop: cst.For) -> bool:
    """Tell whether the loop itself, no loop inside it, calls backward, and nothing in it is a collective."""
    inside = list(walk(loop.body, lambda n: runs_at_once(n) and not isinstance(n, (cst.For, cst.While))))
    if any(called(node) in _COLLECTIVES for node in walk(loop.body)):
        return False
    return any(called(node) == "backward" for node in inside)


def _same(tree: Tree, loop: cst.CSTNode, made: cst.Assign) -> bool:
    """Tell whether a loop surely sees the wrapped model: in the function that wraps it, or through `self`."""
    own = isinstance(made.targets[0].target, cst.Attribute)
    return own or tree.function(made) in (None, tree.function(loop))


def _reads(loop: cst.For, model: str) -> bool:
    return any(isinstance(n, (cst.Name, cst.Attribute)) and text_of(n) == model for n in walk(loop.body))


def _joined(module: cst.Module, loop: cst.For, model: str) -> cst.With:
    new = parsed(module, f"with {model}.join():\n    pass")
    assert isinstance(new, cst.With)
    assert isinstance(new.body, cst.IndentedBlock)
    inner = with_lines(loop, ())
    return new.with_changes(leading_lines=loop.leading_lines, body=new.body.with_changes(body=[inner]))
