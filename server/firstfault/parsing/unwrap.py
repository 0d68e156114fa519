"""Join the lines that a terminal or a mail program broke at a fixed width."""

from __future__ import annotations

from collections.abc import Sequence

NARROWEST, WIDEST = 60, 200
FEWEST = 6
BORDERS = "│┃|╮╯┐┘─━=-*#"  # boxes and rulers fill their width by themselves
SHARE = 0.08


def width(lines: Sequence[bytes]) -> int | None:
    """Return the column at which a text was broken: its longest lines all end there, and there are many of them."""
    texts = [text for line in lines if (text := line.decode("utf-8", "replace")).strip() and text[-1] not in BORDERS]
    longest = max(map(len, texts), default=0)
    full = sum(len(text) == longest for text in texts)
    broken = NARROWEST <= longest <= WIDEST and full >= max(FEWEST, SHARE * len(texts))
    return longest if broken and len({text for text in texts if len(text) == longest}) >= FEWEST else None


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
