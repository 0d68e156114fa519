"""What is certain to break a distributed run, or nearly so, found in the source before anything runs.

In: a source text. Out: findings, each with its place, its reason and the edit that mends it. A rule that was wrong in
more than one of twenty findings on real training code is not here. `# firstfault: ignore` on the line silences it.
LibCST is slow to import, so only `lint` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firstfault import fixes
from firstfault.errors import FirstfaultError

if TYPE_CHECKING:
    import libcst as cst

    from firstfault.lint.rules import Rule

LARGEST = 400_000  # characters; a longer file is no training script that a person wrote
MOST_ROUNDS = 50  # edits of one file; each is found anew, for it moves the lines below it
SILENCE = "# firstfault: ignore"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A place that will break a run. Lines count from 1, columns from 0; `fix` names the edit, `cause` the failure."""

    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    message: str
    cause: str | None
    fix: str | None


def lint(source: str) -> list[Finding]:
    """Return what is wrong, in the order of the text; raise `FirstfaultError` when this is not Python."""
    import libcst  # noqa: PLC0415

    from firstfault.lint import rules  # noqa: PLC0415

    wanted = [rule for rule in rules.RULES if rule.may_apply(source)] if len(source) <= LARGEST else []
    if not wanted:
        return []
    try:
        module = fixes.parsed(source.removeprefix("\ufeff"))
        found = sorted(set(_placed(module, wanted)))
    except libcst.ParserSyntaxError as error:
        raise FirstfaultError(f"line {error.editor_line} is not valid Python") from error
    except RecursionError as error:
        raise FirstfaultError("an expression in this file is nested too deeply") from error
    lines = source.splitlines()
    return [f for f in found if f.line > len(lines) or SILENCE not in lines[f.line - 1]]


def mended(source: str) -> str:
    """Return the text with every finding mended whose edit is safe; those that need a look stay."""
    for _ in range(MOST_ROUNDS):
        safe = [f for f in lint(source) if f.fix and fixes.describe(f.fix).safety == "safe"]
        new = next((n for f in safe if (n := fixes.apply(str(f.fix), source, f.line)) != source), source)
        if new == source:
            break
        source = new
    return source


def _placed(module: cst.Module, wanted: list[Rule]) -> Iterator[Finding]:
    """Yield the findings of rules with their places."""
    from firstfault.fixes._near import positions  # noqa: PLC0415

    hits = [(rule, hit) for rule in wanted for hit in rule.find(module)]
    where = positions(module) if hits else {}
    for rule, (node, message) in hits:
        start, end = where[node].start, where[node].end
        last = (end.line, end.column) if end.line == start.line else (start.line, 10_000)
        yield Finding(start.line, start.column, *last, rule.id, message, rule.cause, rule.fix)
