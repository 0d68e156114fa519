"""Find in a block of bytes the lines that hold any of many texts: one pass of Hyperscan, or the standard library."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate

try:
    import hyperscan
except ImportError:  # no wheel for this interpreter: slower, same answers
    hyperscan = None  # type: ignore[assignment]

MISSING = None if hyperscan else "Hyperscan has no build for this Python: big logs are read by a slower search."
NOTICEABLE = 16 << 20  # bytes: the slower search takes about 0.4 s for each MiB


class Prefilter:
    """A set of literals, compiled once; `lines` says which of them occur in which line of a block."""

    def __init__(self, literals: Iterable[str], *, fast: bool = True) -> None:
        self.literals: tuple[str, ...] = tuple(dict.fromkeys(literals))
        self._bytes = [text.encode() for text in self.literals]
        self._database = self._compile() if fast and hyperscan and self._bytes else None

    @property
    def fast(self) -> bool:
        """Whether Hyperscan does the work."""
        return self._database is not None

    def _compile(self) -> hyperscan.Database:
        database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        database.compile(
            expressions=self._bytes, ids=list(range(len(self._bytes))), elements=len(self._bytes), literal=True
        )
        return database

    def lines(self, data: bytes, lines: Sequence[bytes]) -> dict[int, list[str]]:
        """Return, for the lines of `data` (split at newlines) that hold a literal, which ones they hold."""
        hits: dict[int, list[str]] = {}
        starts: list[int] = []
        for offset, identifier in self._scan(data):
            starts = starts or [0, *accumulate(len(line) + 1 for line in lines)]
            found = hits.setdefault(bisect.bisect_right(starts, offset) - 1, [])
            if self.literals[identifier] not in found:
                found.append(self.literals[identifier])
        return hits

    def _scan(self, data: bytes) -> list[tuple[int, int]]:
        """Return (offset inside the match, index of the literal) of every occurrence."""
        if self._database is None:
            return list(self._scan_slowly(data))
        found: list[tuple[int, int]] = []

        def note(identifier: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((end - 1, identifier))

        self._database.scan(data, match_event_handler=note)
        return found

    def _scan_slowly(self, data: bytes) -> Iterable[tuple[int, int]]:
        for identifier, literal in enumerate(self._bytes):
            at = data.find(literal)
            while at >= 0:
                yield at, identifier
                at = data.find(literal, at + len(literal))
