"""Move one lambda or local function to module level, its local values bound by functools.partial.

In: a module and the function's node. Out: the new module, or the function to lift first, or None when unsure.
"""

from __future__ import annotations

import builtins
import keyword
from dataclasses import dataclass

import libcst as cst

from firstfault.fixes._closures import Closure, Function, Scoped, defaults
from firstfault.fixes._define import define
from firstfault.fixes._names import Names
from firstfault.fixes._near import Replacement, replace
from firstfault.fixes._scopes import Scope
from firstfault.fixes._style import (
    Statement,
    add_import,
    blank,
    blank_lines,
    comment_lines,
    lines_of,
    spaced,
    with_lines,
)
from firstfault.fixes._walk import parameter_list, walk

# Parameters with the values they are bound to
_Bound = dict[str, cst.BaseExpression]


@dataclass(eq=False, slots=True)
class Lifting:
    """One function on its way out: where it is, what it takes along."""

    scoped: Scoped
    scope: Scope
    statement: Statement
    closure: Closure
    role: str
    arity: int | None

    @property
    def module(self) -> cst.Module:
        """Return the module that holds the function."""
        return self.scoped.module


def lift(module: cst.Module, function: Function, role: str, arity: int | None) -> cst.Module | Function | None:
    """Lift one function; return what must be lifted first where it uses another local function."""
    scoped = Scoped(module)
    inner = scoped.scopes.get(function)
    statement = next((s for s in module.body if any(n is function for n in walk(s))), None)
    if inner is None or inner.parent is None or statement is None or function in module.body:
        return None
    closure = scoped.closure(function)
    if closure is None or closure.first is not None:
        return None if closure is None else closure.first
    lifting = Lifting(scoped, inner.parent, statement, closure, role, arity)
    if isinstance(function, cst.FunctionDef):
        return _lift_def(lifting, function)
    return _name_in_place(lifting, function) or _lift_lambda(lifting, function)


def _name_in_place(lifting: Lifting, function: cst.Lambda) -> cst.Module | None:
    """Turn `f = lambda x: y` at module level into a def."""
    line = lifting.statement
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    small = line.body[0]
    name = _assigned_name(small)
    if name is None or not isinstance(small, cst.Assign) or small.value is not function:
        return None
    above = _gap(lifting.module, line)
    new = _define(lifting, name, function.params, function, above)
    body: list[Statement] = list(lifting.module.body)
    at = body.index(line)
    if at + 1 < len(body):
        body[at + 1] = with_lines(body[at + 1], spaced(lines_of(body[at + 1]), 2, 2))
    body[at] = new.with_changes(body=new.body.with_changes(body=[_with_comment(s, line) for s in new.body.body]))
    return lifting.module.with_changes(body=body)


def _define(
    lifting: Lifting, name: str, params: cst.Parameters, function: Function, above: list[cst.EmptyLine]
) -> cst.FunctionDef:
    """Return the function at module level, with lines above it."""
    return define(lifting.module, lifting.closure, function, name, params).with_changes(leading_lines=above)


def _with_comment(statement: cst.CSTNode, line: cst.SimpleStatementLine) -> cst.CSTNode:
    """Return the return statement with the comment that stood behind the assignment."""
    return statement.with_changes(trailing_whitespace=line.trailing_whitespace)


def _lift_lambda(lifting: Lifting, function: cst.Lambda) -> cst.Module | None:
    settled = _settle_defaults(lifting, function)
    if settled is None:
        return None
    params, bound = settled
    holder = _holder(lifting, function)
    values = lifting.closure.values
    if holder is not None and not values and not bound and _is_free(lifting, holder[1]):
        new = _define(lifting, holder[1], params, function, comment_lines(holder[0]))
        return _insert(lifting, new, {holder[0]: cst.RemoveFromParent()})
    name = _unused(lifting, f"_{holder[1].lstrip('_')}" if holder is not None else lifting.role)
    new = _define(lifting, name, params, function, [])
    partial = bool(values or bound)
    used = _partial(lifting, name, values, bound) if partial else cst.Name(name)
    try:
        return _insert(lifting, new, {function: used}, needs_partial=partial)
    except cst.CSTValidationError:  # e.g. `else(lambda x: x)`: the parentheses part the words
        held = used.with_changes(lpar=function.lpar, rpar=function.rpar)
        return _insert(lifting, new, {function: held}, needs_partial=partial)


def _settle_defaults(lifting: Lifting, function: cst.Lambda) -> tuple[cst.Parameters, _Bound] | None:
    """Return the parameters, and defaults such as `pad=pad` that must be bound where the lambda stood."""
    params = function.params
    order = min((b.order for bs in lifting.scoped.scopes[function].binds.values() for b in bs), default=0)
    if all(lifting.scoped.known_early(d, lifting.scope, order) for d in defaults(params)):
        return params, {}
    required = [p for p in params.params if p.default is None]
    if lifting.arity != len(required) or len(parameter_list(params)) != len(params.params):
        return None
    bound = {p.name.value: p.default for p in params.params if p.default is not None}
    bare = [
        p.with_changes(default=None, equal=cst.MaybeSentinel.DEFAULT, whitespace_after_param=cst.SimpleWhitespace(""))
        for p in params.params
    ]
    return params.with_changes(params=bare), bound


def _holder(lifting: Lifting, function: cst.Lambda) -> tuple[cst.SimpleStatementLine, str] | None:
    """Return the line `name = lambda ...` and its name, when the lambda has one that is assigned once."""
    for node in walk(lifting.statement):
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            small = node.body[0]
            if isinstance(small, cst.Assign) and small.value is function:
                name = _assigned_name(small)
                return None if name is None or lifting.scope.kind == "class" else (node, name)
    return None


def _lift_def(lifting: Lifting, function: cst.FunctionDef) -> cst.Module | None:
    name, scope = function.name.value, lifting.scope
    own_name = lifting.scoped.scopes[function].free().get(name) is scope
    values = lifting.closure.values
    if not _may_leave(lifting, function) or (values and (function.decorators or own_name)):
        return None
    comments = comment_lines(function)
    if not values and _is_free(lifting, name):
        new = _define(lifting, name, function.params, function, comments)
        return _insert(lifting, new, {function: cst.RemoveFromParent()})
    if own_name:
        return None
    other = _unused(lifting, f"_{name.lstrip('_')}")
    made = _partial(lifting, other, values, {}) if values else cst.Name(other)
    here = cst.SimpleStatementLine(
        body=[cst.Assign(targets=[cst.AssignTarget(cst.Name(name))], value=made)],
        leading_lines=blank_lines(function),
    )
    new = _define(lifting, other, function.params, function, comments)
    return _insert(lifting, new, {function: here}, needs_partial=bool(values))


def _may_leave(lifting: Lifting, function: cst.FunctionDef) -> bool:
    """Tell whether a def means the same at module level: its decorators, defaults and annotations included."""
    scope, params = lifting.scope, parameter_list(function.params)
    binds = scope.binds.get(function.name.value, [])
    if function.asynchronous is not None or function.type_parameters is not None:
        return False
    if scope.kind not in {"function", "module"} or len(binds) != 1:
        return False
    outside: list[cst.CSTNode] = [*function.decorators, *defaults(function.params)]
    outside += [p.annotation for p in params if p.annotation is not None]
    outside += [function.returns] if function.returns is not None else []
    return all(lifting.scoped.known_early(part, scope, binds[0].order) for part in outside)


def _partial(lifting: Lifting, name: str, values: _Bound, bound: _Bound) -> cst.Call:
    """Return `functools.partial(name, values, key=bound)` in the file's own spelling."""
    names, top = Names(lifting.module), lifting.scoped.top
    short, whole = names.local_name("functools.partial"), names.local_name("functools")
    if short is not None and short in top.binds and short not in lifting.scoped.guarded:
        func: cst.BaseExpression = cst.Name(short)
    else:
        usable = whole if whole in top.binds and whole not in lifting.scoped.guarded else None
        func = cst.Attribute(value=cst.Name(usable or "functools"), attr=cst.Name("partial"))
    bare = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
    args = [cst.Arg(cst.Name(name)), *(cst.Arg(value) for value in values.values())]
    args += [cst.Arg(keyword=cst.Name(key), value=value, equal=bare) for key, value in bound.items()]
    return cst.Call(func=func, args=args)


def _insert(
    lifting: Lifting, new: cst.FunctionDef, changes: dict[cst.CSTNode, Replacement], *, needs_partial: bool = False
) -> cst.Module:
    """Return the module with the function above the statement that held it."""
    for block in walk(lifting.statement):
        if isinstance(block, cst.IndentedBlock) and any(statement in changes for statement in block.body):
            _keep_block(block, changes)
    index = next(i for i, s in enumerate(lifting.module.body) if s is lifting.statement)
    gap = 0 if index == 0 else 2
    new = new.with_changes(leading_lines=[*blank(gap), *new.leading_lines])
    module = replace(lifting.module, changes)
    below = with_lines(module.body[index], spaced(lines_of(module.body[index]), 2, 2))
    module = module.with_changes(body=[*module.body[:index], new, below, *module.body[index + 1 :]])
    if needs_partial and not {"functools.partial", "functools"} & _module_imports(lifting):
        module = add_import(module, "functools")
    return module


def _keep_block(block: cst.IndentedBlock, changes: dict[cst.CSTNode, Replacement]) -> None:
    """Leave `pass` in a block that would become empty, and no blank line at the top of one that does not."""
    removed = [isinstance(changes.get(statement), cst.RemovalSentinel) for statement in block.body]
    if all(removed):
        changes[block.body[0]] = cst.SimpleStatementLine([cst.Pass()])
    elif removed[0] and not removed[1]:
        second = block.body[1]
        if second not in changes and not any(n in changes for n in walk(second)):
            changes[second] = with_lines(second, spaced(lines_of(second), 0, 0))


def _module_imports(lifting: Lifting) -> set[str]:
    """Return which of functools and its partial the module imports at its top level."""
    names, scoped = Names(lifting.module), lifting.scoped
    return {
        dotted
        for dotted in ("functools.partial", "functools")
        if names.local_name(dotted) in scoped.top.binds and names.local_name(dotted) not in scoped.guarded
    }


def _is_free(lifting: Lifting, name: str) -> bool:
    """Tell whether a local function may keep its name at module level."""
    scoped = lifting.scoped
    taken = lifting.scope is not scoped.top and name in scoped.top.binds
    elsewhere = any(
        read.name == name and scope.owner(name) is None for scope in scoped.top.subtree() for read in scope.reads
    )
    once = len(lifting.scope.binds.get(name, [])) == 1
    return once and not taken and not elsewhere and name not in dir(builtins)


def _unused(lifting: Lifting, base: str) -> str:
    """Return a name that nothing in the file uses."""
    used = {*dir(builtins), *keyword.kwlist}
    for scope in lifting.scoped.top.subtree():
        used.update(scope.binds, scope.globals, scope.nonlocals, (read.name for read in scope.reads))
    name, count = base, 2
    while name in used:
        name, count = f"{base}_{count}", count + 1
    return name


def _assigned_name(small: cst.BaseSmallStatement) -> str | None:
    """Return the one name that an assignment binds."""
    if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Name):
        return small.targets[0].target.value
    return None


def _gap(module: cst.Module, line: Statement) -> list[cst.EmptyLine]:
    """Return the lines above a statement that becomes a def: two blank ones unless it is the first."""
    return lines_of(line) if line is module.body[0] else spaced(lines_of(line), 2, 2)
