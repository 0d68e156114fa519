"""What a lambda or local function takes from around it, and whether a function at module level can stand for it.

In: the function's node in a scoped module. Out: a `Closure`, or the reason to lift another function first, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from firstfault.fixes._scopes import Binding, Scope, build
from firstfault.fixes._style import is_guard
from firstfault.fixes._walk import import_name, parameter_list, walk

_LOOKS_AROUND = frozenset({"super", "__class__", "locals", "vars", "eval", "exec", "dir"})
Function = cst.Lambda | cst.FunctionDef


@dataclass(eq=False, slots=True)
class Closure:
    """The local names that a function reads: values to bind, imports to repeat, other functions to lift first."""

    values: list[str] = field(default_factory=list)
    imports: list[cst.SimpleStatementLine] = field(default_factory=list)
    first: Function | None = None


class Scoped:
    """A module with its scopes, and which of its names a child process would not have."""

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.top, self.scopes = build(module)
        inside = {node for s in module.body if is_guard(s) for node in walk(s)}
        # A child process does not run the main guard: names bound only there are local to the main process
        self.guarded = {name for name, binds in self.top.binds.items() if all(b.node in inside for b in binds)}

    def is_local(self, name: str, owner: Scope | None) -> bool:
        """Tell whether a name is missing in a child process."""
        return owner is not None and (owner is not self.top or name in self.guarded)

    def closure(self, function: Function) -> Closure | None:
        """Return what a function closes over; None when it cannot be lifted."""
        scope = self.scopes[function]
        order = min((read.order for inner in scope.subtree() for read in inner.reads), default=0)
        if _looks_around(function) or _changes_outside(scope):
            return None
        found = Closure()
        for name, owner in scope.free().items():
            if not self.is_local(name, owner) or owner is None:
                continue
            binds = owner.binds.get(name, [])
            if len(binds) != 1 or not self._take(found, name, binds[0], function, order):
                return None
        return found

    def _take(self, found: Closure, name: str, binding: Binding, function: Function, order: int) -> bool:
        """Add one local name to a closure; false when it cannot be carried to another process."""
        node = binding.node
        if node is function:
            return True
        if binding.order > order or binding.how in {"class", "del"}:
            return False
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            found.imports.append(_import_of(node, name))
        elif isinstance(node, cst.FunctionDef):
            found.first = node
        elif isinstance(node, cst.Assign) and isinstance(node.value, cst.Lambda):
            found.first = node.value
        else:
            found.values.append(name)
        return True

    def reads_of(self, node: cst.CSTNode, scope: Scope) -> Iterator[tuple[str, Scope | None]]:
        """Yield the names that an expression reads, with their owners."""
        inner, _ = build(node)
        for read in inner.reads:
            yield read.name, scope.owner(read.name)
        for name, owner in ((n, o) for child in inner.children for n, o in child.free().items()):
            if owner is None:
                yield name, scope.owner(name)

    def known_early(self, node: cst.CSTNode, scope: Scope, order: int) -> bool:
        """Tell whether an expression can be evaluated above the statement that now holds it."""
        for name, owner in self.reads_of(node, scope):
            if self.is_local(name, owner):
                return False
            if owner is self.top and all(b.order > order for b in owner.binds[name]):
                return False
        return True


def defaults(params: cst.Parameters) -> list[cst.BaseExpression]:
    """Return the default values of a function's parameters."""
    return [param.default for param in parameter_list(params) if param.default is not None]


def _looks_around(function: Function) -> bool:
    """Tell whether a function depends on the place where it is written."""
    for node in walk(function):
        if isinstance(node, cst.Await) or (isinstance(node, cst.Yield) and isinstance(function, cst.Lambda)):
            return True
        if isinstance(node, cst.Name):
            mangled = node.value.startswith("__") and not node.value.endswith("__")
            if node.value in _LOOKS_AROUND or mangled:
                return True
    return False


def _changes_outside(scope: Scope) -> bool:
    """Tell whether a function assigns to names of the functions around it."""
    inside = list(scope.subtree())
    return any(
        inner.parent is not None and inner.parent.owner(name) not in inside
        for inner in inside
        for name in inner.nonlocals
    )


def _import_of(node: cst.Import | cst.ImportFrom, name: str) -> cst.SimpleStatementLine:
    """Return the import of one name alone."""
    assert not isinstance(node.names, cst.ImportStar)
    alias = next(a for a in node.names if import_name(a) == name).with_changes(comma=cst.MaybeSentinel.DEFAULT)
    alone = node.with_changes(names=[alias], semicolon=cst.MaybeSentinel.DEFAULT)
    if isinstance(alone, cst.ImportFrom):
        alone = alone.with_changes(lpar=None, rpar=None)
    return cst.SimpleStatementLine(body=[alone.deep_clone()])
