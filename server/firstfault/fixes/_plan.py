"""Which top-level statements of a script go under its main guard, and which must stay importable.

In: a module and what starts processes in it. Out: the statements to move, or None when that is not sure to keep the
meaning. A statement stays when a child process needs it: imports, definitions, constants, and what the classes and
functions handed to children read.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from firstfault.fixes import _pure
from firstfault.fixes._names import Names
from firstfault.fixes._scopes import Scope, build
from firstfault.fixes._style import Statement, is_guard, mentions_name
from firstfault.fixes._walk import runs_at_once, walk

Kind = Literal["import", "define", "constant", "guard", "fixed", "run"]


@dataclass(eq=False, slots=True)
class Unit:
    """One top-level statement: the names it binds, reads at once, reads when called, and defines."""

    node: Statement
    kind: Kind
    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)
    defines: set[str] = field(default_factory=set)


def unit(node: Statement, names: Names) -> Unit:
    """Describe one top-level statement."""
    found = Unit(node, _kind(node, names))
    top, _ = build(node)
    found.binds = set(top.binds)
    found.defines = {name for name, binds in top.binds.items() if any(b.how in {"def", "class"} for b in binds)}
    for scope in top.subtree():
        owner_is_outside = {read.name for read in scope.reads if scope.owner(read.name) in (None, top)}
        (found.later if _is_deferred(scope) else found.reads).update(owner_is_outside)
    return found


def _is_deferred(scope: Scope) -> bool:
    """Tell whether a scope's code runs only when a function is called."""
    while scope.parent is not None:
        if scope.kind == "function":
            return True
        scope = scope.parent
    return False


def _kind(node: Statement, names: Names) -> Kind:
    if is_guard(node):
        return "guard"
    if mentions_name(node):
        return "fixed"
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return "define"
    if isinstance(node, cst.SimpleStatementLine):
        if all(isinstance(small, (cst.Import, cst.ImportFrom)) for small in node.body):
            return "import"
        return "constant" if all(_pure.is_constant(small, names) for small in node.body) else "run"
    return "define" if _only_declares(node, names) else "run"


def _only_declares(node: Statement, names: Names) -> bool:
    """Tell whether a compound statement only imports, defines or sets constants, e.g. `try: import apex`."""
    if not isinstance(node, (cst.If, cst.Try)) or (isinstance(node, cst.If) and not _pure.is_pure(node.test, names)):
        return False
    for part in (node, *_branches(node)):
        body = part.body
        if not isinstance(body, cst.IndentedBlock):
            return False
        if any(_kind(inner, names) not in {"import", "define", "constant"} for inner in body.body):
            return False
    return True


def _branches(node: cst.If | cst.Try) -> list[cst.If | cst.Else | cst.ExceptHandler | cst.Finally]:
    """List the further branches of an `if` or `try`."""
    found: list[cst.If | cst.Else | cst.ExceptHandler | cst.Finally] = []
    if isinstance(node, cst.Try):
        found += node.handlers
        found += [part for part in (node.orelse, node.finalbody) if part is not None]
        return found
    if isinstance(node.orelse, cst.If):
        return [node.orelse, *_branches(node.orelse)]
    return [node.orelse] if node.orelse is not None else []


class Plan:
    """Decide for each unit whether it moves."""

    def __init__(self, units: list[Unit], starting: set[int], module: cst.Module, names: Names) -> None:
        self.units = units
        self.names = names
        self.must = set(starting)
        self.functions = {name: u for u in units if u.kind == "define" for name in u.binds}
        others = {name for u in units if u.kind != "import" for name in u.binds}
        self.imported = {name for u in units for name in u.binds if names.imported(name)} - others
        self.given = _handed_over(module)
        self.handed = self.given & set(self.functions)
        self.handed |= {n.name.value for n in (u.node for u in units) if isinstance(n, cst.ClassDef)}

    def moved(self) -> set[int] | None:
        """Return the indexes of the statements to move, guards included; None when unsure."""
        while self._follow_bindings():
            stay = self._staying()
            moved = {i for i, u in enumerate(self.units) if u.kind == "guard" or i in self.must}
            moved |= {i for i, u in enumerate(self.units) if u.kind == "run" and i not in stay}
            needed = self._needed(stay) | {n for i in moved for n in self.units[i].defines & self.given}
            bound_stay = {name for i, u in enumerate(self.units) if i not in moved for name in u.binds}
            if (needed & {name for i in moved for name in self._lost(i)}) - bound_stay:
                return None
            late = self._out_of_order(moved)
            if late is None:
                return moved
            if self.units[late].kind != "constant" or self.units[late].binds & needed:
                return None
            self.must.add(late)
        return None

    def _lost(self, index: int) -> set[str]:
        """Return the names that a child process loses when a unit moves; a guard's it never had."""
        u = self.units[index]
        return set() if u.kind == "guard" else u.binds if index in self.must else u.defines

    def _follow_bindings(self) -> bool:
        """Add what reads names that moved statements bind; false when a definition does."""
        bound: set[str] = set()
        for i, u in enumerate(self.units):
            if u.kind in {"run", "constant"} and self._effective(u) & bound:
                self.must.add(i)
            elif u.kind in {"define", "import"} and u.reads & bound:
                return False
            if i in self.must:
                bound |= u.binds
        return True

    def _effective(self, u: Unit) -> set[str]:
        """Return what a unit reads when it runs, through the functions that it names."""
        found, todo = set(u.reads), list(u.reads)
        while todo:
            target = self.functions.get(todo.pop())
            if target is not None:
                new = (target.later | target.reads) - found
                found |= new
                todo += new
        return found

    def _needed(self, stay: set[int]) -> set[str]:
        """Return the names that a child process needs: for what it is handed, and to import the file."""
        found = {name for i in stay for name in self._effective(self.units[i])}
        for i, u in enumerate(self.units):
            if u.kind == "define":
                found |= u.reads
            elif u.kind == "constant" and i not in self.must:
                found |= self._effective(u)
        for name in self.handed:
            found |= self._effective(Unit(self.functions[name].node, "run", reads={name}))
        return found

    def _staying(self) -> set[int]:
        """Return the run-time statements that stay: they feed what a child needs, or come before such a one."""
        stay = self._before_imports()
        while True:
            needed = self._needed(stay)
            values = {name for u in self.units if u.kind in {"run", "constant"} for name in u.binds}
            new = {
                i
                for i, u in enumerate(self.units)
                if u.kind == "run" and i not in self.must and (u.binds | (_pure.changed(u.node) & values)) & needed
            }
            last = max(new | stay, default=-1)
            new |= {i for i in range(last) if self.units[i].kind == "run" and i not in self.must}
            if new <= stay:
                return stay
            stay |= new

    def _before_imports(self) -> set[int]:
        """Return settings of the process that an import further down may depend on."""
        imports = [i for i, u in enumerate(self.units) if u.kind == "import"]
        last = max(imports, default=-1)
        return {
            i
            for i, u in enumerate(self.units[: max(last, 0)])
            if u.kind == "run" and i not in self.must and _pure.is_setting(u.node, self.names)
        }

    def _out_of_order(self, moved: set[int]) -> int | None:
        """Return the first statement that stays although it changes what an earlier moved one sees or does."""
        seen: set[str] = set(dir(builtins))
        late: set[str] = set()
        for i, u in enumerate(self.units):
            if i in moved:
                late |= u.binds | (self._effective(u) & seen)
            elif late:
                bound = u.binds - self.imported if u.kind == "import" else u.binds
                if u.kind == "fixed" or bound & late:
                    return i
                if u.kind == "run" and _pure.makes_shared(u.node, self.names):
                    return i
            seen |= u.binds
        return None


def _handed_over(module: cst.Module) -> set[str]:
    """Return the names that are read other than to call them: a child process may be handed these."""
    called = {n.func for n in walk(module) if isinstance(n, cst.Call)}
    top, _ = build(module)
    return {read.name for scope in top.subtree() for read in scope.reads if read.node not in called}


def has_call(node: cst.CSTNode) -> bool:
    """Tell whether reaching a statement calls something."""
    return any(isinstance(n, (cst.Call, cst.For)) for n in walk(node, runs_at_once))
