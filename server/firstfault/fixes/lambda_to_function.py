"""Move lambdas and local functions that go to other processes to module level, where pickle finds them by name.

Local values that they read are bound by `functools.partial`. Untouched: a function that assigns to `nonlocal` names,
one that reads a local name which is assigned more than once or later, or that looks around itself (`super`, `locals`).
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._closures import Function, Scoped
from firstfault.fixes._lift import lift
from firstfault.fixes._names import names_of
from firstfault.fixes._near import covers, positions
from firstfault.fixes._scopes import Scope
from firstfault.fixes._sites import Site, sites

TITLE = "Move the lambda or local function that goes to another process to module level"
SAFETY = "safe"
SAFE_WHEN = "It is safe when the local values that the function reads can be pickled and do not change afterwards."

_Wanted = dict[Function, tuple[str, int | None]]


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Lift the functions handed over at the line, or all when the line names none."""
    names = names_of(module)
    found = sites(module, names, assume_workers=line is not None)
    wanted = _functions(module, _at_line(module, found, line)) if found else {}
    while wanted:
        function, (role, arity) = wanted.popitem()
        result = lift(module, function, role, arity)
        if isinstance(result, cst.Module):
            module = result
        elif result is not None and result not in wanted:
            wanted[function] = (role, arity)
            wanted[result] = ("run_task", None)
    return module


def _functions(module: cst.Module, found: list[Site]) -> _Wanted:
    """Return the lambdas and local functions that sites hand over, the last one first to be taken."""
    scoped = Scoped(module)
    wanted: _Wanted = {}
    for site in reversed(found):
        for function in meant(scoped, site):
            wanted.setdefault(function, (site.role, site.arity))
    return wanted


def meant(scoped: Scoped, site: Site) -> list[Function]:
    """Return the functions that a site's value stands for: none when they are at module level already."""
    if isinstance(site.value, cst.Lambda):
        return [site.value]
    scope = _scope_of(scoped, site.value)
    name = site.value.value
    owner = scope.owner(name) if scope is not None else None
    if owner is None:
        return []
    found: list[Function] = []
    for binding in owner.binds[name]:
        node = binding.node
        if isinstance(node, cst.FunctionDef) and scoped.is_local(name, owner):
            found.append(node)
        elif isinstance(node, cst.Assign) and isinstance(node.value, cst.Lambda):
            found.append(node.value)
    return found


def _scope_of(scoped: Scoped, name: cst.Name) -> Scope | None:
    """Return the scope that reads a name."""
    for scope in scoped.top.subtree():
        if any(read.node is name for read in scope.reads):
            return scope
    return None


def _at_line(module: cst.Module, found: list[Site], line: int | None) -> list[Site]:
    """Return the sites whose call is on the line, else those whose function is, else all."""
    if line is None:
        return found
    where = positions(module)
    at_call = [site for site in found if covers(where[site.call], line)]
    if at_call:
        return at_call
    scoped = Scoped(module)
    at_function = [s for s in found if any(covers(where[f], line) for f in meant(scoped, s))]
    return at_function or found
