"""Where a marked line has gone after the text around it was edited; knows nothing of the protocol."""

from __future__ import annotations

import re
from collections.abc import Sequence

# an editor's lines, which are also those of a traceback; str.splitlines breaks at form feeds and \u2028 as well
BREAK = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """Split a text as editors and Python do."""
    return BREAK.split(text)


def followed(line: int, text: str, before: Sequence[str], after: Sequence[str]) -> int | None:
    """Return the number of a line that reads `text` after its file was edited; None when it was edited itself."""
    same = _alike(before, after)
    room = min(len(before), len(after)) - same
    same_end = min(room, _alike(before[::-1], after[::-1]))
    if line < same:
        return line
    if line >= len(before) - same_end:
        return line + len(after) - len(before)
    return again(line, text, after, range(same, len(after) - same_end))


def again(line: int, text: str, lines: Sequence[str], where: range | None = None) -> int | None:
    """Return the line that reads `text`, the nearest to `line` of several."""
    hits = [number for number in (range(len(lines)) if where is None else where) if lines[number].rstrip() == text]
    return min(hits, key=lambda number: abs(number - line)) if hits else None


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines that two texts share at their beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
