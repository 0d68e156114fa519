"""Take the `--local-rank` that older launchers pass, and read LOCAL_RANK where they pass none.

Untouched: parsers that know the argument in both spellings, and files with several parsers.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import quoted, with_lines
from firstfault.fixes._torch import bound
from firstfault.fixes._tree import called, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Take the launcher's --local-rank argument, and LOCAL_RANK without it"
SAFETY = "safe"
SAFE_WHEN = "It is safe: a launcher that passes no such argument sets LOCAL_RANK, and without one it is 0."

_SPELLINGS = ("--local-rank", "--local_rank")


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the argument, or its other spelling."""
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    parsers = bound(module, names, frozenset({"argparse.ArgumentParser"}))
    if len(parsers) != 1:
        return module
    (parser,) = parsers
    adding = [n for n in walk(module) if isinstance(n, cst.Call) and text_of(n.func) == f"{parser}.add_argument"]
    given = {str(a.value.evaluated_value): c for c in adding for a in c.args if isinstance(a.value, cst.SimpleString)}
    known = [spelling for spelling in _SPELLINGS if spelling in given]
    if len(known) == 2:
        return module
    if known:
        other = next(s for s in _SPELLINGS if s not in known)
        call = given[known[0]]
        first = cst.Arg(quoted(module, other), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return replace(module, {call: call.with_changes(args=[first, *call.args])})
    parsing = [n for n in walk(module) if called(n) == "parse_args" and text_of(n).startswith(f"{parser}.")]
    statement = tree.statement(parsing[0]) if len(parsing) == 1 else None
    if statement is None or (not adding and tree.line(parsing[0]) is None):
        return module
    q = quoted(module, "x").value[0]
    options = f"{q}--local-rank{q}, {q}--local_rank{q}, type=int"
    read = f"int({refer.to('os.environ')}.get({q}LOCAL_RANK{q}, {q}0{q}))"
    new = parsed(module, f"{parser}.add_argument({options}, default={read})")
    lines = statement.leading_lines  # type: ignore[attr-defined]
    changed: dict[cst.CSTNode, Replacement] = {
        statement: cst.FlattenSentinel([with_lines(new, lines), with_lines(statement, ())])
    }
    return refer.finish(replace(module, changed))
