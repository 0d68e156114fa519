"""Find in a block of bytes the places that hold any of many texts: one pass of Hyperscan, or the standard library."""

from __future__ import annotations

import threading
from collections.abc import Iterable

try:
    import hyperscan
except ImportError:  # no wheel for this interpreter: slower, same answers
    hyperscan = None  # type: ignore[assignment]

MISSING = None if hyperscan else "Hyperscan has no build for this Python: big logs are read by a slower search."
NOTICEABLE = 16 << 20  # bytes: the slower search takes about 0.4 s for each MiB


class Prefilter:
    """A set of literals, compiled once; `hits` says which of them occur where in a block."""

    def __init__(self, literals: Iterable[str], *, fast: bool = True) -> None:
        self.literals: tuple[str, ...] = tuple(dict.fromkeys(literals))
        self._bytes = [text.encode() for text in self.literals]
        self._database = self._compile() if fast and hyperscan and self._bytes else None
        self._own = threading.local()  # Hyperscan's scratch space, which each thread needs for itself

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

    def hits(self, data: bytes | bytearray, size: int) -> list[tuple[int, int]]:
        """Return (offset inside the match, index of the literal) of every occurrence in the first bytes, in order.

        Threads may ask at once; Hyperscan does not hold the interpreter while it searches.
        """
        if self._database is None:
            return sorted(self._scan_slowly(data, size))
        found: list[tuple[int, int]] = []

        def note(identifier: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found.append((end - 1, identifier))

        if not hasattr(self._own, "scratch"):
            self._own.scratch = hyperscan.Scratch(self._database)
        with memoryview(data) as view, view[:size] as part:
            self._database.scan(part, match_event_handler=note, scratch=self._own.scratch)  # type: ignore[type-var]
        return found

    def named(self, text: str) -> list[str]:
        """Return the literals that a short text holds."""
        data = text.encode("utf-8", "replace")
        return [self.literals[i] for i in dict.fromkeys(i for _, i in self.hits(data, len(data)))]

    def _scan_slowly(self, data: bytes | bytearray, size: int) -> Iterable[tuple[int, int]]:
        for identifier, literal in enumerate(self._bytes):
            at = data.find(literal, 0, size)
            while at >= 0:
                yield at, identifier
                at = data.find(literal, at + len(literal), size)
