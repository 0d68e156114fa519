"""Recognise lines that come again and again, so that a log in which every tenth line matches something stays fast.

Lines are compared by shape: their bytes with every digit as 0. A shape that a hundred readings found nothing in holds
nothing; one whose readings only repeated known messages of one speaker goes on repeating them, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable

SHAPE = bytes(48 if 48 <= byte <= 57 else byte for byte in range(256))
BARREN = 100  # readings that found nothing
SAME = 8  # readings that found the same
MOST_SHAPES = 50_000
SPEAKERS = (b"rank", b"pid=", b"default", b"TP")  # what stands before the number of a speaker
START, BEHIND = 12, 10  # bytes whose digits count: those at the start of a line, and from a word of `SPEAKERS` on
LIVE = -1
Repeated = tuple[int, ...]  # which known messages a line told again


class Wear:
    """Remembers, for one source, what readings of lines of each shape have found."""

    def __init__(self) -> None:
        self._barren: dict[bytes, int] = {}
        self._same: dict[tuple[bytes, ...], tuple[int, Repeated]] = {}

    def known(self, line: bytes) -> Repeated | None:
        """Return what a line tells again; () when nothing; None when it must be read."""
        shape = line.translate(SHAPE)
        count = self._barren.get(shape, 0)
        if count >= BARREN:
            return ()
        if count == LIVE and self._same:
            times, repeated = self._same.get(_spoken(line, shape), (0, ()))
            return repeated if times >= SAME else None
        return None

    def read(self, line: bytes, found: Iterable[int] | None) -> None:
        """Note a reading: the known messages that the line told again, or None when it told something new."""
        shape = line.translate(SHAPE)
        repeated = () if found is None else tuple(found)
        count = self._barren.get(shape, 0)
        if len(self._barren) + len(self._same) > MOST_SHAPES and not count:
            return
        if found is not None and not repeated and count != LIVE:
            self._barren[shape] = count + 1
            return
        self._barren[shape] = LIVE
        spoken = _spoken(line, shape)
        times, before = self._same.get(spoken, (0, repeated))
        if found is None or before != repeated:
            times = -MOST_SHAPES  # not always the same: it stays worth reading
        self._same[spoken] = times + 1, repeated


def _spoken(line: bytes, shape: bytes) -> tuple[bytes, ...]:
    """Return a line's shape together with the digits that may say who speaks."""
    places = [at for word in SPEAKERS if (at := line.find(word)) >= 0]
    return (shape, line[:START], *(line[at : at + BEHIND] for at in places))
