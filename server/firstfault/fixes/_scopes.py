"""Who binds and who reads each name: a module's scopes, built in one walk.

In: a module, or one statement of it. Out: `Scope` objects with bindings and reads in the order of the text.
Cheaper than LibCST's ScopeProvider, and it tells what runs at once from what runs when a function is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from firstfault.fixes._walk import children, import_name, parameter_list

Kind = Literal["module", "function", "class", "comprehension"]
How = Literal["param", "assign", "for", "with", "import", "def", "class", "except", "del", "other"]


@dataclass(eq=False, slots=True)
class Binding:
    """One place that binds a name; `node` is the statement's part that does so."""

    how: How
    node: cst.CSTNode
    order: int


@dataclass(eq=False, slots=True)
class Read:
    """One place that reads a name."""

    name: str
    node: cst.Name
    order: int


@dataclass(eq=False, slots=True)
class Scope:
    """The names of a module, function, class body or comprehension."""

    kind: Kind
    node: cst.CSTNode
    parent: Scope | None
    binds: dict[str, list[Binding]] = field(default_factory=dict)
    reads: list[Read] = field(default_factory=list)
    children: list[Scope] = field(default_factory=list)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def owner(self, name: str) -> Scope | None:
        """Return the scope that a name means here; None when no scope binds it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.globals:
                return scope.root()
            if name in scope.binds and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def root(self) -> Scope:
        """Return the module's scope."""
        return self if self.parent is None else self.parent.root()

    def subtree(self) -> Iterator[Scope]:
        """Yield this scope and all inside it."""
        yield self
        for child in self.children:
            yield from child.subtree()

    def free(self) -> dict[str, Scope | None]:
        """Return the names read here or inside that are bound outside, each with its owner."""
        inside = list(self.subtree())
        found: dict[str, Scope | None] = {}
        for scope in inside:
            for read in scope.reads:
                owner = scope.owner(read.name)
                if owner not in inside:
                    found[read.name] = owner
        return found


def build(node: cst.CSTNode) -> tuple[Scope, dict[cst.CSTNode, Scope]]:
    """Return the outermost scope of a module or statement, and the scope that each scoped node opens."""
    builder = _Builder(node)
    builder.visit(node, builder.top)
    builder.settle_nonlocals()
    return builder.top, builder.scopes


class _Builder:
    """Walk once and fill the scopes."""

    def __init__(self, node: cst.CSTNode) -> None:
        self.top = Scope("module", node, None)
        self.scopes: dict[cst.CSTNode, Scope] = {node: self.top}
        self.order = 0
        self.pending: list[tuple[Scope, str, Binding]] = []

    def visit(self, node: cst.CSTNode, scope: Scope) -> None:
        self.order += 1
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, scope)
        else:
            self.visit_all(children(node), scope)

    def visit_all(self, nodes: Iterable[cst.CSTNode], scope: Scope) -> None:
        for node in nodes:
            self.visit(node, scope)

    def open(self, kind: Kind, node: cst.CSTNode, parent: Scope) -> Scope:
        scope = Scope(kind, node, parent)
        parent.children.append(scope)
        self.scopes[node] = scope
        return scope

    def bind(self, name: str, how: How, node: cst.CSTNode, scope: Scope) -> None:
        self.order += 1
        binding = Binding(how, node, self.order)
        if name in scope.nonlocals:
            self.pending.append((scope, name, binding))
        else:
            owner = scope.root() if name in scope.globals else scope
            owner.binds.setdefault(name, []).append(binding)

    def bind_target(self, target: cst.CSTNode, how: How, node: cst.CSTNode, scope: Scope) -> None:
        """Bind the names of an assignment's left side; what it subscripts is read."""
        if isinstance(target, cst.Name):
            self.bind(target.value, how, node, scope)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self.bind_target(element.value, how, node, scope)
        else:
            self.visit(target, scope)

    def settle_nonlocals(self) -> None:
        for scope, name, binding in self.pending:
            owner = scope.parent.owner(name) if scope.parent else None
            if owner is not None:
                owner.binds[name].append(binding)

    def on_name(self, node: cst.Name, scope: Scope) -> None:
        scope.reads.append(Read(node.value, node, self.order))

    def on_attribute(self, node: cst.Attribute, scope: Scope) -> None:
        self.visit(node.value, scope)

    def on_arg(self, node: cst.Arg, scope: Scope) -> None:
        self.visit(node.value, scope)

    def on_function(self, node: cst.FunctionDef, scope: Scope) -> None:
        self.visit_all(node.decorators, scope)
        inner = self.open("function", node, scope)
        self.parameters(node.params, inner, scope)
        if node.returns is not None:
            self.visit(node.returns, scope)
        self.bind(node.name.value, "def", node, scope)
        self.visit(node.body, inner)

    def on_lambda(self, node: cst.Lambda, scope: Scope) -> None:
        inner = self.open("function", node, scope)
        self.parameters(node.params, inner, scope)
        self.visit(node.body, inner)

    def parameters(self, params: cst.Parameters, inner: Scope, outer: Scope) -> None:
        for param in parameter_list(params):
            self.bind(param.name.value, "param", param, inner)
            self.visit_all((part for part in (param.annotation, param.default) if part is not None), outer)

    def on_class(self, node: cst.ClassDef, scope: Scope) -> None:
        self.visit_all((*node.decorators, *node.bases, *node.keywords), scope)
        self.bind(node.name.value, "class", node, scope)
        self.visit(node.body, self.open("class", node, scope))

    def on_comprehension(self, node: cst.CSTNode, scope: Scope) -> None:
        inner = self.open("comprehension", node, scope)
        loop: cst.CompFor | None = getattr(node, "for_in", None)
        outer = scope
        while loop is not None:
            self.visit(loop.iter, outer)
            self.bind_target(loop.target, "for", loop, inner)
            self.visit_all(loop.ifs, inner)
            loop, outer = loop.inner_for_in, inner
        parts = (getattr(node, name, None) for name in ("key", "value", "elt"))
        self.visit_all((part for part in parts if part is not None), inner)

    def on_import(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            self.bind(import_name(alias), "import", node, scope)

    def on_outer(self, node: cst.Global | cst.Nonlocal, scope: Scope) -> None:
        names = scope.globals if isinstance(node, cst.Global) else scope.nonlocals
        names.update(item.name.value for item in node.names)

    def on_assign(self, node: cst.Assign, scope: Scope) -> None:
        self.visit(node.value, scope)
        for target in node.targets:
            self.bind_target(target.target, "assign", node, scope)

    def on_ann_assign(self, node: cst.AnnAssign, scope: Scope) -> None:
        self.visit(node.annotation, scope)
        if node.value is not None:
            self.visit(node.value, scope)
            self.bind_target(node.target, "assign", node, scope)

    def on_aug_assign(self, node: cst.AugAssign, scope: Scope) -> None:
        self.visit(node.value, scope)
        self.visit(node.target, scope)
        self.bind_target(node.target, "other", node, scope)

    def on_walrus(self, node: cst.NamedExpr, scope: Scope) -> None:
        self.visit(node.value, scope)
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        self.bind_target(node.target, "other", node, scope)

    def on_for(self, node: cst.For, scope: Scope) -> None:
        self.visit(node.iter, scope)
        self.bind_target(node.target, "for", node, scope)
        self.visit_all((part for part in (node.body, node.orelse) if part is not None), scope)

    def on_as_name(self, node: cst.AsName, scope: Scope) -> None:
        self.bind_target(node.name, "with", node, scope)

    def on_del(self, node: cst.Del, scope: Scope) -> None:
        self.visit(node.target, scope)
        self.bind_target(node.target, "del", node, scope)

    def on_match_name(self, node: cst.MatchAs | cst.MatchStar | cst.MatchMapping, scope: Scope) -> None:
        bound = node.rest if isinstance(node, cst.MatchMapping) else node.name
        self.visit_all((child for child in children(node) if child is not bound), scope)
        if bound is not None:
            self.bind(bound.value, "other", node, scope)

    def on_match_keyword(self, node: cst.MatchKeywordElement, scope: Scope) -> None:
        self.visit(node.pattern, scope)

    def on_type_alias(self, node: cst.TypeAlias, scope: Scope) -> None:
        self.bind(node.name.value, "other", node, scope)


_HANDLERS: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Name: _Builder.on_name,
    cst.Attribute: _Builder.on_attribute,
    cst.Arg: _Builder.on_arg,
    cst.FunctionDef: _Builder.on_function,
    cst.Lambda: _Builder.on_lambda,
    cst.ClassDef: _Builder.on_class,
    cst.ListComp: _Builder.on_comprehension,
    cst.SetComp: _Builder.on_comprehension,
    cst.DictComp: _Builder.on_comprehension,
    cst.GeneratorExp: _Builder.on_comprehension,
    cst.Import: _Builder.on_import,
    cst.ImportFrom: _Builder.on_import,
    cst.Global: _Builder.on_outer,
    cst.Nonlocal: _Builder.on_outer,
    cst.Assign: _Builder.on_assign,
    cst.AnnAssign: _Builder.on_ann_assign,
    cst.AugAssign: _Builder.on_aug_assign,
    cst.NamedExpr: _Builder.on_walrus,
    cst.For: _Builder.on_for,
    cst.AsName: _Builder.on_as_name,
    cst.Del: _Builder.on_del,
    cst.MatchAs: _Builder.on_match_name,
    cst.MatchStar: _Builder.on_match_name,
    cst.MatchMapping: _Builder.on_match_name,
    cst.MatchKeywordElement: _Builder.on_match_keyword,
    cst.TypeAlias: _Builder.on_type_alias,
}
