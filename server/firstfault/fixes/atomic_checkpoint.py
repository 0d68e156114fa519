"""Write a checkpoint beside its place and move it there when it is whole: a run that dies meanwhile keeps the old one.

Untouched: open files and buffers, and paths that are computed by calls.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import assigned, calls
from firstfault.fixes._tree import Tree, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Write the checkpoint under another name and rename it when it is whole (os.replace)"
SAFETY = "safe"
SAFE_WHEN = "It is safe where the folder has room for both files; a rename within a folder is atomic."

_STREAMS = frozenset({"f", "fp", "fh", "fd", "file", "fileobj", "buf", "buffer", "stream", "io", "handle"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the detour to the saves at the line, or to all."""
    names, tree, refer, values = names_of(module), tree_of(module), Refer(module), assigned(module)
    opened = {
        n.value for w in walk(module) if isinstance(w, cst.AsName) for n in walk(w.name) if isinstance(n, cst.Name)
    }
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in calls(module, names, frozenset({"torch.save"})):
        target, statement = _calls.argument(call, "f", 1), tree.line(call)
        if target is None or statement is None or not isinstance(statement.body[0], cst.Expr):
            continue
        if is_path(target.value, values, opened) and not _is_moved(tree, statement):
            changed[statement] = _detour(module, refer, statement, call, target)
    return refer.finish(at_line(module, changed, line)) if changed else module


def is_path(node: cst.BaseExpression, values: dict[str, list[cst.BaseExpression]], opened: set[str]) -> bool:
    """Tell whether an expression is a path, and may be written twice."""
    if isinstance(node, (cst.SimpleString, cst.FormattedString)):
        return not any(isinstance(n, cst.Call) for n in walk(node))
    if isinstance(node, cst.BinaryOperation):
        return not any(isinstance(n, cst.Call) for n in walk(node))
    if isinstance(node, cst.Attribute):
        return "path" in node.attr.value.lower() and not any(isinstance(n, cst.Call) for n in walk(node))
    if not isinstance(node, cst.Name) or node.value in _STREAMS or node.value in opened:
        return False
    known = values.get(node.value, [])
    strings = (cst.SimpleString, cst.FormattedString, cst.BinaryOperation, cst.ConcatenatedString)
    made = all(isinstance(v, strings) or "join" in text_of(v) or "Path" in text_of(v) for v in known)
    return (bool(known) and made) or (not known and any(w in node.value.lower() for w in ("path", "filename", "ckpt")))


def _is_moved(tree: Tree, statement: cst.CSTNode) -> bool:
    """Tell whether the file is renamed soon after."""
    siblings = list(tree.siblings(statement))
    later = siblings[siblings.index(statement) + 1 :][:3]
    return any(
        word in text_of(s) for s in later for word in ("os.replace", "os.rename", ".rename(", ".replace(", "move(")
    )


def _detour(
    module: cst.Module, refer: Refer, statement: cst.SimpleStatementLine, call: cst.Call, target: cst.Arg
) -> cst.FlattenSentinel[cst.CSTNode]:
    system = refer.to("os.getpid").rpartition(".")[0]
    path = text_of(target.value)
    own = f"{{{system}.getpid()}}.tmp" if system else None
    if own is None:  # `from os import getpid`: rare, and os.replace would need the module
        return cst.FlattenSentinel([statement])
    if "tmp_path" in module.code:
        return cst.FlattenSentinel([statement])
    if isinstance(target.value, cst.FormattedString):
        end = target.value.end
        name = f"{path[: -len(end)]}.{own}{end}"
        return _statements(module, statement, call, target, (name, path, system))
    shown = path if not isinstance(target.value, cst.SimpleString) else None
    if shown is None:
        assert isinstance(target.value, cst.SimpleString)
        raw = target.value.raw_value
        name = f"f{target.value.quote}{raw.replace('{', '{{').replace('}', '}}')}.{own}{target.value.quote}"
    else:
        name = f"f{_other(shown)}{{{shown}}}.{own}{_other(shown)}"
    return _statements(module, statement, call, target, (name, path, system))


def _statements(
    module: cst.Module,
    statement: cst.SimpleStatementLine,
    call: cst.Call,
    target: cst.Arg,
    words: tuple[str, str, str],
) -> cst.FlattenSentinel[cst.CSTNode]:
    """Return the three lines in the place of one."""
    name, path, system = words
    first = parsed(module, f"tmp_path = {name}")
    new = call.with_changes(args=[a.with_changes(value=cst.Name("tmp_path")) if a is target else a for a in call.args])
    last = parsed(module, f"{system}.replace(tmp_path, {path})")
    lines = statement.leading_lines
    return cst.FlattenSentinel(
        [
            first.with_changes(leading_lines=lines),
            statement.with_changes(body=[cst.Expr(new)], leading_lines=[]),
            last,
        ]
    )


def _other(text: str) -> str:
    """Return quotes that the text does not use, which Python before 3.12 asks of f-strings."""
    return "'" if '"' in text else '"'
