"""Undo what pasting does to lines: broken at a fixed width, or run together into one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

NARROWEST, WIDEST = 60, 200
FEWEST = 6
START = "Traceback (most recent call last):"
ESCAPED = START + "\\n"  # a JSON log's way of writing a line's end
# where the lines of a traceback began before their ends were lost
BEGINNINGS = re.compile(
    r'(?=Traceback \(most recent call last\):)|(?= {2}File ")|(?= {4,}\S)'
    r"| (?=[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)(?:: |$))"
)
BORDERS = "│┃|╮╯┐┘─━=-*#"  # boxes and rulers fill their width by themselves
SHARE = 0.08
BEGIN = 6  # characters
DIGITS = str.maketrans("123456789", "000000000")


def width(lines: Sequence[bytes]) -> int | None:
    """Return the column at which a text was broken: its longest lines all end there, and there are many of them."""
    texts = [text for line in lines if (text := line.decode("utf-8", "replace")).strip() and text[-1] not in BORDERS]
    longest = max(map(len, texts), default=0)
    full = sum(len(text) == longest for text in texts)
    broken = NARROWEST <= longest <= WIDEST and full >= max(FEWEST, SHARE * len(texts))
    if broken and _aligned(texts, longest):
        return None
    return longest if broken and len({text for text in texts if len(text) == longest}) >= FEWEST else None


def _aligned(texts: Sequence[str], longest: int) -> bool:
    """Tell whether the longest lines are long by their format: what follows one is no rest of it."""
    begins = [text[:BEGIN].translate(DIGITS) for text in texts]
    (usual, _), *_ = Counter(b for b, text in zip(begins, texts, strict=True) if len(text) == longest).most_common(1)
    after = [after == usual for (text, after) in zip(texts, begins[1:], strict=False) if len(text) == longest]
    return sum(after) * 2 > len(after)


def join(lines: Sequence[bytes], broken_at: int) -> tuple[list[bytes], list[int]]:
    """Return the whole lines, and for each the index of its first part."""
    whole: list[bytes] = []
    starts: list[int] = []
    goes_on = False
    for index, line in enumerate(lines):
        if goes_on:
            whole[-1] += line
        else:
            whole.append(line)
            starts.append(index)
        goes_on = len(line.decode("utf-8", "replace")) == broken_at
    return whole, starts


def pieces(text: str) -> list[str]:
    """Return the lines that were run together into one, or the line itself."""
    if START not in text or text.rstrip().endswith(START):
        return [text]
    if ESCAPED in text:
        before, _, after = text.partition(START)
        lines = [before, *(START + after).replace('\\"', '"').split("\\n")]
        return [line for line in lines if line.strip('"}], ')]
    return [piece for piece in BEGINNINGS.split(text) if piece.strip()]
