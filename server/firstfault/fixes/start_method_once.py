"""Set the start method once, in the main process only: a second call, or one in a spawned child, raises.

A call at module level moves under the main guard; of several calls the last one is kept, with `force=True`. Where a
call cannot move (its method is computed, or it stands in an `if`), it gets `force=True` in its place. Untouched: a
single call that already runs once, and one that a `try` or a look at `get_start_method()` protects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import libcst as cst

from firstfault.fixes import _calls, _pure
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, covers, positions, replace
from firstfault.fixes._scopes import build
from firstfault.fixes._style import (
    Statement,
    blank,
    blank_lines,
    body_of,
    comment_lines,
    guard,
    is_guard,
    lines_of,
    mentions_name,
    with_body,
    with_lines,
)
from firstfault.fixes._walk import children, walk

TITLE = "Set the start method once, under the main guard, with force=True"
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe when the last method that the file sets is the one you want, and no queue, lock or pool is made "
    "before it."
)

Place = Literal["top", "guard", "function", "nested"]


@dataclass(eq=False, slots=True)
class Setting:
    """One call of set_start_method: the statement, the call, and where it stands."""

    line: cst.SimpleStatementLine
    call: cst.Call
    place: Place
    function: cst.FunctionDef | None
    protected: bool
    guarded: bool

    @property
    def forced(self) -> bool:
        """Tell whether the call overrides an earlier one."""
        given = _calls.argument(self.call, "force", 1)
        return given is not None and not (isinstance(given.value, cst.Name) and given.value.value == "False")


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Keep one call of set_start_method, under the guard, or make the calls that would raise override."""
    names = names_of(module)
    settings = _Finder(names).find(module)
    wrong = _raising(settings) or _pointed(module, settings, line)
    if not wrong:
        return module
    if _may_merge(settings, module):
        merged = _merge(module, settings, names)
        if merged is not None:
            return merged
    changes: dict[cst.CSTNode, Replacement] = {}
    for setting in wrong:
        forced = _forced(setting)
        changes[setting.line] = _guarded(module, forced) if setting.place == "top" else forced
    return _without(module, changes)


def second(module: cst.Module) -> list[cst.SimpleStatementLine]:
    """Return the calls that surely follow another one in the same process: both at module level or in one function."""
    settings = _Finder(names_of(module)).find(module)
    found = []
    for index, setting in enumerate(settings):
        if setting.forced or setting.protected or setting.place == "nested":
            continue
        before = [s for s in settings[:index] if not s.protected and s.place != "nested"]
        if any(s.function is None or s.function is setting.function for s in before):
            found.append(setting.line)
    return found


class _Finder:
    """Collect the calls with their places."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.found: list[Setting] = []

    def find(self, module: cst.Module) -> list[Setting]:
        for statement in module.body:
            if is_guard(statement):
                assert isinstance(statement, cst.If)
                for inner in body_of(statement):
                    self.visit(inner, "guard", None, False, True)
            else:
                self.visit(statement, "top", None, False, mentions_name(statement))
        return self.found

    def visit(
        self, node: cst.CSTNode, place: Place, function: cst.FunctionDef | None, protected: bool, guarded: bool
    ) -> None:
        call = self._call(node)
        if isinstance(node, cst.SimpleStatementLine):
            if call is not None:
                self.found.append(Setting(node, call, place, function, protected, guarded))
        elif isinstance(node, cst.FunctionDef):
            for inner in children(node.body):
                self.visit(inner, "function", node, False, guarded)
        elif isinstance(node, (cst.Try, cst.If, cst.With)):
            safe = protected or isinstance(node, cst.Try) or self._asks(node)
            for inner in children(node):
                self.visit(inner, "nested", function, safe, guarded)
        else:
            for inner in children(node):
                self.visit(inner, "nested", function, protected, guarded)

    def _call(self, node: cst.CSTNode) -> cst.Call | None:
        """Return the call when it is all that a line does."""
        if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
            return None
        small = node.body[0]
        if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
            return None
        is_set = self.names.dotted(small.value.func) == "multiprocessing.set_start_method"
        return small.value if is_set else None

    def _asks(self, node: cst.CSTNode) -> bool:
        """Tell whether a condition looks at the current method, or a `with` swallows the error."""
        looked_at = node.test if isinstance(node, cst.If) else node
        wanted = {"get_start_method", "suppress"}
        return any(isinstance(n, cst.Name) and n.value in wanted for n in walk(looked_at)) or any(
            isinstance(n, cst.Attribute) and n.attr.value in wanted for n in walk(looked_at)
        )


def _raising(settings: Sequence[Setting]) -> list[Setting]:
    """Return the calls that raise: again in a child that imports the file, or as a second call."""
    found = []
    for index, setting in enumerate(settings):
        in_child = setting.place in {"top", "nested"} and setting.function is None and not setting.guarded
        again = any(not earlier.protected for earlier in settings[:index])
        if not setting.forced and not setting.protected and (in_child or again):
            found.append(setting)
    return found


def _pointed(module: cst.Module, settings: Sequence[Setting], line: int | None) -> list[Setting]:
    """Return the call on the line of a traceback, unless it overrides already."""
    if line is None:
        return []
    where = positions(module)
    return [s for s in settings if covers(where[s.line], line) and not s.forced]


def _may_merge(settings: Sequence[Setting], module: cst.Module) -> bool:
    """Tell whether one call can stand for all: literal methods, none in a condition, names known at module level."""
    for setting in settings:
        method = _calls.argument(setting.call, "method", 0)
        if setting.place == "nested" or method is None or not isinstance(method.value, cst.SimpleString):
            return False
    top, _ = build(module)
    root: cst.CSTNode = settings[-1].call.func
    while isinstance(root, cst.Attribute):
        root = root.value
    return isinstance(root, cst.Name) and any(b.how == "import" for b in top.binds.get(root.value, ()))


def _merge(module: cst.Module, settings: Sequence[Setting], names: Names) -> cst.Module | None:
    """Return the module with the last call under the guard and without the others; None when there is no place."""
    kept = _forced(settings[-1])
    comments = [line for s in settings for line in comment_lines(s.line)]
    top = [s for s in settings if s.place == "top"]
    guards = [node for node in module.body if isinstance(node, cst.If) and is_guard(node)]
    changes: dict[cst.CSTNode, Replacement] = {s.line: cst.RemoveFromParent() for s in settings}
    if len(guards) == 1 and not _works_between(module, top, guards[0], names):
        return _into_guard(module, guards[0], settings, with_lines(kept, comments))
    if top:
        changes[top[0].line] = _guarded(module, with_lines(kept, [*blank_lines(top[0].line), *comments]))
        return _without(module, changes)
    if len({s.function for s in settings}) == 1 and settings[0].place == "function":
        changes[settings[0].line] = with_lines(kept, lines_of(settings[0].line))
        return _without(module, changes)
    return None


def _works_between(module: cst.Module, top: Sequence[Setting], main: cst.If, names: Names) -> bool:
    """Tell whether module-level code after the first call may rely on it: anything but definitions and constants."""
    if not top:
        return False
    body = list(module.body)
    start, end = body.index(top[0].line), body.index(main)
    own = {s.line for s in top}
    if end < start:
        return True
    return any(
        isinstance(node, cst.SimpleStatementLine)
        and node not in own
        and not all(isinstance(s, (cst.Import, cst.ImportFrom)) or _pure.is_constant(s, names) for s in node.body)
        for node in body[start:end]
    ) or any(isinstance(node, (cst.For, cst.While, cst.With)) for node in body[start:end])


def _into_guard(module: cst.Module, main: cst.If, settings: Sequence[Setting], kept: Statement) -> cst.Module:
    """Return the module with the call in its guard: where the guard's first call is, else first of all."""
    inside = {s.line for s in settings if s.place == "guard"}
    body: list[Statement] = []
    for statement in body_of(main):
        if statement not in inside:
            body.append(statement)
        elif kept not in body:
            body.append(kept)
    if kept not in body:
        body.insert(0, kept)
    changes: dict[cst.CSTNode, Replacement] = {s.line: cst.RemoveFromParent() for s in settings if s.place != "guard"}
    return _without(module, {**changes, main: with_body(main, body)})


def _without(module: cst.Module, changes: dict[cst.CSTNode, Replacement]) -> cst.Module:
    """Return the module without the removed lines; a body that would be empty says `pass`, gaps stay."""
    for block in walk(module):
        if not isinstance(block, (cst.IndentedBlock, cst.Module)):
            continue
        removed = [isinstance(changes.get(statement), cst.RemovalSentinel) for statement in block.body]
        if all(removed) and removed:
            first = block.body[0]
            changes[first] = cst.SimpleStatementLine([cst.Pass()], leading_lines=blank_lines(first))
        for gone, line, after in zip(removed, block.body, block.body[1:], strict=False):
            if gone and after not in changes and not lines_of(after):
                changes[after] = with_lines(after, blank_lines(line))
            elif isinstance(changes.get(line), cst.If) and after not in changes and not lines_of(after):
                changes[after] = with_lines(after, blank(1))
    return replace(module, changes)


def _forced(setting: Setting) -> cst.SimpleStatementLine:
    """Return the line with `force=True` in its call."""
    if setting.forced:
        return setting.line
    given = _calls.argument(setting.call, "force", 1)
    if given is None:
        call = _calls.add_keyword(setting.call, "force", cst.Name("True"))
    else:
        args = [arg.with_changes(value=cst.Name("True")) if arg is given else arg for arg in setting.call.args]
        call = setting.call.with_changes(args=args)
    return setting.line.with_changes(body=[cst.Expr(call)])


def _guarded(module: cst.Module, line: Statement) -> cst.If:
    """Return the line under a guard of its own, in its place."""
    return guard(module, [with_lines(line, comment_lines(line))], blank_lines(line))
