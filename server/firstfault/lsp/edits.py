"""Where a marked line has gone after the text around it was edited; knows nothing of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """The text between two positions (line and character, from 0) is replaced; without positions all of it is."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


def followed(line: int, text: str, changes: Iterable[Change], lines: Sequence[str]) -> int | None:
    """Return the line's number after the changes, None when they edited it. `lines` is the text after them."""
    low = high = guess = line
    for change in changes:
        if change.start is None or change.end is None:
            low, high = 0, len(lines) - 1
            continue
        new = change.text.count("\n")
        more = new - (change.end[0] - change.start[0])
        before = (guess, 0) >= change.end
        if high < change.start[0]:
            continue
        if low > change.end[0]:
            low, high = low + more, high + more
        else:  # the change may touch the line, or stop right before it
            low, high = min(low, change.start[0]), max(high + more, change.start[0] + new)
        guess += more if before else 0
    hits = [n for n in range(max(low, 0), min(high, len(lines) - 1) + 1) if lines[n].rstrip() == text]
    return min(hits, key=lambda n: abs(n - guess)) if hits else None
