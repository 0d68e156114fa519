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
    """The local names that a function reads: values to bind (parameter -> value), imports to repeat.

    `swaps` puts a parameter in the place of `self.x`; `first` is another local function that must be lifted before.
    """

    values: dict[str, cst.BaseExpression] = field(default_factory=dict)
    swaps: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
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
        elif not self._take_attributes(found, name, binding, function):
            found.values[name] = cst.Name(name)
        return True

    def _take_attributes(self, found: Closure, name: str, binding: Binding, function: Function) -> bool:
        """Add `self.x` instead of `self`: a whole LightningModule often cannot be pickled; false when it must be."""
        method = self._method(binding)
        if method is None:
            return False
        used = [n for n in walk(function) if isinstance(n, cst.Attribute) and _is_name(n.value, name)]
        reads = sum(1 for n in walk(function) if _is_name(n, name))
        callees = {n.func for n in walk(function) if isinstance(n, cst.Call)}
        called = {n.attr.value for n in used if n in callees}
        changed = {n.attr.value for n in _assigned_attributes(method)}
        known = {n.attr.value for n in _assigned_attributes(self.module)}
        names = {n.attr.value for n in used}
        scopes = list(self.scopes[function].subtree())
        taken = {x for scope in scopes for x in (*scope.binds, *(read.name for read in scope.reads))}
        if reads != len(used) or names & changed or called - known or names & taken or any(map(_is_private, names)):
            return False
        for node in used:
            found.values.setdefault(node.attr.value, cst.Attribute(cst.Name(name), cst.Name(node.attr.value)))
            found.swaps[node] = cst.Name(node.attr.value)
        return True

    def _method(self, binding: Binding) -> cst.FunctionDef | None:
        """Return the method whose `self` a binding is."""
        for node, scope in self.scopes.items():
            if isinstance(node, cst.FunctionDef) and scope.parent is not None and scope.parent.kind == "class":
                params = parameter_list(node.params)
                if params and params[0] is binding.node and not node.decorators:
                    return node
        return None

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


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _is_private(name: str) -> bool:
    return name.startswith("_")


def _assigned_attributes(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    """Yield the attributes that assignments set, e.g. `self.vocab = ...`."""
    for n in walk(node):
        if isinstance(n, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign)) and isinstance(n.target, cst.Attribute):
            yield n.target


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
