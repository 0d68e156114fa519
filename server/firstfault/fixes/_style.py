"""Write new code the way the file is written: its quotes, its imports, its blank lines, its main guard."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from firstfault.fixes._walk import import_name, walk

Statement = cst.BaseStatement


def quoted(module: cst.Module, text: str) -> cst.SimpleString:
    """Return a string literal in the quotes that the file uses most; double where it does not say."""
    single = double = 0
    for node in walk(module):
        if isinstance(node, cst.SimpleString) and len(node.quote) == 1:
            single += node.quote == "'"
            double += node.quote == '"'
    return cst.SimpleString(f"'{text}'" if single > double else f'"{text}"')


def is_guard(node: cst.CSTNode) -> bool:
    """Tell whether a statement is `if __name__ == "__main__":` and nothing more."""
    if not isinstance(node, cst.If) or node.orelse is not None or not isinstance(node.test, cst.Comparison):
        return False
    test = node.test
    if len(test.comparisons) != 1 or not isinstance(test.comparisons[0].operator, cst.Equal):
        return False
    sides = (test.left, test.comparisons[0].comparator)
    return any(isinstance(s, cst.Name) and s.value == "__name__" for s in sides) and any(
        isinstance(s, cst.SimpleString) and s.evaluated_value == "__main__" for s in sides
    )


def mentions_name(node: cst.CSTNode) -> bool:
    """Tell whether a statement asks for `__name__` to decide what runs."""
    return isinstance(node, (cst.If, cst.While)) and any(
        isinstance(n, cst.Name) and n.value == "__name__" for n in walk(node.test)
    )


def guard(module: cst.Module, body: Sequence[Statement], lines: Sequence[cst.EmptyLine] = ()) -> cst.If:
    """Return a new main guard around statements."""
    return cst.If(
        test=cst.Comparison(
            left=cst.Name("__name__"),
            comparisons=[cst.ComparisonTarget(cst.Equal(), quoted(module, "__main__"))],
        ),
        body=cst.IndentedBlock(body=list(body)),
        leading_lines=list(lines),
    )


def lines_of(statement: Statement) -> list[cst.EmptyLine]:
    """Return the blank and comment lines above a statement."""
    return list(getattr(statement, "leading_lines", ()))


def blank_lines(statement: Statement) -> list[cst.EmptyLine]:
    """Return the blank lines above a statement, without its comments."""
    return [line for line in lines_of(statement) if line.comment is None]


def comment_lines(statement: Statement) -> list[cst.EmptyLine]:
    """Return the comment lines above a statement, without blank ones."""
    return [line for line in lines_of(statement) if line.comment is not None]


def with_lines(statement: Statement, lines: Sequence[cst.EmptyLine]) -> Statement:
    """Return a statement with other blank and comment lines above it."""
    changed = statement.with_changes(leading_lines=list(lines))
    assert isinstance(changed, cst.BaseStatement)
    return changed


def blank(count: int) -> list[cst.EmptyLine]:
    """Return blank lines."""
    return [cst.EmptyLine(indent=False) for _ in range(count)]


def spaced(lines: Sequence[cst.EmptyLine], least: int, most: int) -> list[cst.EmptyLine]:
    """Return lines with at least and at most so many blank ones before the first comment."""
    comments = list(lines)
    found: list[cst.EmptyLine] = []
    while comments and comments[0].comment is None:
        found.append(comments.pop(0))
    return [*(found + blank(max(0, least - len(found))))[:most], *comments]


def indented(statement: Statement) -> Statement:
    """Return a top-level statement ready for an indented block: its blank lines stay empty."""
    changed = statement.visit(_EmptyBlanks())
    assert isinstance(changed, cst.BaseStatement)
    return changed


class _EmptyBlanks(cst.CSTTransformer):
    def leave_EmptyLine(self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine) -> cst.EmptyLine:
        is_blank = updated_node.comment is None and not updated_node.whitespace.value
        return updated_node.with_changes(indent=False) if is_blank else updated_node


def body_of(compound: cst.If | cst.FunctionDef) -> list[Statement]:
    """Return a compound statement's body as full statements, also when it stands on the same line."""
    if isinstance(compound.body, cst.IndentedBlock):
        return list(compound.body.body)
    assert isinstance(compound.body, cst.SimpleStatementSuite)
    return [cst.SimpleStatementLine(body=compound.body.body, trailing_whitespace=compound.body.trailing_whitespace)]


def with_body(compound: cst.If, body: Sequence[Statement]) -> cst.If:
    """Return a compound statement with another body, its indentation kept."""
    block = compound.body if isinstance(compound.body, cst.IndentedBlock) else cst.IndentedBlock(body=())
    return compound.with_changes(body=block.with_changes(body=list(body)))


def add_import(module: cst.Module, name: str) -> cst.Module:
    """Add `import name` in its place among the file's first imports."""
    new = cst.SimpleStatementLine(body=[cst.Import(names=[cst.ImportAlias(name=cst.Name(name))])])
    body: list[Statement] = list(module.body)
    start = next((i for i, s in enumerate(body) if not _is_preamble(s)), len(body))
    at = start
    while at < len(body) and _plain_import(body[at]) is not None and (at == start or not lines_of(body[at])):
        if str(_plain_import(body[at])) > name:
            break
        at += 1
    if at == start and at < len(body):
        lines = lines_of(body[at])
        is_import = _is_import(body[at])
        new = new.with_changes(leading_lines=lines if is_import else spaced(lines, 1, 1)[:1])
        body[at] = with_lines(body[at], [] if is_import else lines)
        if not is_import and not lines:
            new = new.with_changes(leading_lines=[])
    return module.with_changes(body=[*body[:at], new, *body[at:]])


def _is_preamble(statement: cst.CSTNode) -> bool:
    """Tell whether a statement must stay above all imports."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.Expr):
        return isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString))
    return isinstance(first, cst.ImportFrom) and getattr(first.module, "value", None) == "__future__"


def _is_import(statement: cst.CSTNode) -> bool:
    """Tell whether a line only imports."""
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Import, cst.ImportFrom)) for small in statement.body
    )


def _plain_import(statement: cst.CSTNode) -> str | None:
    """Return the module of an `import x` line."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        small = statement.body[0]
        if isinstance(small, cst.Import):
            return import_name(small.names[0]) if small.names[0].asname is None else str(small.names[0].evaluated_name)
    return None
