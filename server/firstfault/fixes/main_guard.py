"""Move what starts processes under `if __name__ == "__main__":`, so that a spawned child can import the file.

Imports, definitions, constants and whatever a child process reads stay. Untouched: nothing starts processes at import
time, a function given to a child reads a name that only the moved code sets, or moving would change an order that
matters.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import covers, positions
from firstfault.fixes._plan import Plan, Unit, has_call, unit
from firstfault.fixes._starts import Starts
from firstfault.fixes._style import (
    Statement,
    blank,
    blank_lines,
    body_of,
    guard,
    indented,
    is_guard,
    lines_of,
    spaced,
    with_body,
    with_lines,
)
from firstfault.fixes._walk import runs_at_once, walk

TITLE = 'Start the processes under `if __name__ == "__main__":`'
SAFETY = "safe"
SAFE_WHEN = "It is safe when no other file imports from this one what moves under the guard."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Put the code that starts processes, and what depends on it, under the main guard."""
    names = names_of(module)
    units = [unit(node, names) for node in module.body]
    starts = Starts(module, names)
    running = {i for i, u in enumerate(units) if u.kind == "run"}
    pointed = _take_hint(module, units, starts, line)
    starting = {i for i in running if i == pointed or starts.starts(units[i].node)}
    if not starting:
        return module
    starting |= {i for i in running if _sets_start_method(units[i].node, names)}
    moved = Plan(units, starting, module, names).moved()
    return module if moved is None else module.with_changes(body=_rebuild(module, moved))


def _take_hint(module: cst.Module, units: Sequence[Unit], starts: Starts, line: int | None) -> int | None:
    """Learn from the line of a traceback: the function there starts processes, or the statement (returned) does."""
    if line is None:
        return None
    where = positions(module)
    for index, u in enumerate(units):
        if covers(where[u.node], line):
            if isinstance(u.node, cst.FunctionDef):
                starts.functions.add(u.node.name.value)
                starts.learn()
            return index if u.kind == "run" and has_call(u.node) else None
    return None


def _sets_start_method(node: cst.CSTNode, names: Names) -> bool:
    """Tell whether a statement sets the start method: in a child, this is an error."""
    return any(
        isinstance(n, cst.Call) and names.dotted(n.func) == "multiprocessing.set_start_method"
        for n in walk(node, runs_at_once)
    )


def _kept(module: cst.Module, moved: set[int]) -> list[Statement]:
    """Return the statements that stay; one that follows a moved one keeps its distance from what is above."""
    found: list[Statement] = []
    gap: list[cst.EmptyLine] = []
    for i, node in enumerate(module.body):
        if i in moved:
            gap = gap or blank_lines(node)
            continue
        found.append(with_lines(node, gap) if gap and found and not lines_of(node) else node)
        gap = []
    return found


def _rebuild(module: cst.Module, moved: set[int]) -> list[Statement]:
    """Return the module's statements with the moved ones in one guard, where the last of them stood."""
    last = max(moved)
    inside: list[Statement] = []
    for i in sorted(moved):
        node = module.body[i]
        if is_guard(node):
            assert isinstance(node, cst.If)
            first, *rest = body_of(node)
            above = [above for above in lines_of(node) if above.comment is not None]
            inside += [with_lines(first, [*above, *lines_of(first)]), *rest] if i != last else body_of(node)
        else:
            inside.append(indented(node))
    inside = [with_lines(node, spaced(lines_of(node), 0, 1)) for node in inside]
    inside[0] = with_lines(inside[0], spaced(lines_of(inside[0]), 0, 0))
    old = module.body[last]
    if is_guard(old):
        assert isinstance(old, cst.If)
        new = with_body(old, inside)
    else:
        new = guard(module, inside)
    kept = _kept(module, moved)
    at = sum(1 for i in range(last) if i not in moved)
    if at > 0 and not is_guard(old):
        after_def = isinstance(kept[at - 1], (cst.FunctionDef, cst.ClassDef))
        new = new.with_changes(leading_lines=blank(2 if after_def else 1))
    after = kept[at:]
    if after:
        after[0] = with_lines(after[0], spaced(lines_of(after[0]), 2, 2))
    return [*kept[:at], new, *after]
