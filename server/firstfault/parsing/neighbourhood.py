"""Choose the lines worth reading: the head, what surrounds an interesting line, and the tail.

In a log of gigabytes nearly every line is ordinary. Between the interesting ones only enough are read to see that
training went on; of the rest, the last ones are kept for the signs of life at the end. Nothing here touches each line:
blocks are passed over as a whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

HEAD = 4000
BEFORE = 2
AFTER = 300
TAIL = 4000
FEWEST = 100  # of the tail, where one rank speaks and the text is long
MORE_TAIL = 40_000  # where thousands of ranks speak
PER_RANK = 64  # of the tail's lines
SETTLED = 200  # lines of the head after which nothing new may be learned, where few ranks speak
LONG = 8  # blocks; a text of fewer is short
KEPT_BLOCKS = 8  # of the tail: fewer than `reading.RING`
Data = bytes | bytearray


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines that were left unread: bytes of a block, from the start of a line to the end of one."""

    data: Data
    start: int
    end: int
    index: int  # of the first line in its block
    number: Callable[[int], int]  # a line's index in the block -> its number in the text
    block: int

    def last(self, most: int) -> list[tuple[int, bytes]]:
        """Return the last lines with their numbers."""
        at, end, lines = self.start, self.end, 0
        data = self.data
        cut = end - 1 if data[end - 1 : end] == b"\n" else end
        while lines < most and cut > at:
            cut = data.rfind(b"\n", at, cut)
            lines += 1
            if cut < 0:
                break
        start = at if cut < at else cut + 1
        index = self.index + data.count(b"\n", at, start)
        found = bytes(data[start:end]).split(b"\n")
        if not found[-1]:
            found.pop()
        return [(self.number(index + i), line) for i, line in enumerate(found)]


class Neighbourhood:
    """Remembers what one source's walk has left unread, and says how much of what follows is to be read."""

    def __init__(self) -> None:
        self.budget = HEAD
        self._skipped: deque[Stretch] = deque()
        self._skipped_whole_blocks = False

    def skip(self, stretch: Stretch) -> None:
        """Leave lines unread for now."""
        self._skipped.append(stretch)
        self._skipped_whole_blocks |= stretch.block > LONG

    def forget(self, block: int) -> None:
        """Let go of lines whose buffers will soon be used again, when another block begins."""
        while self._skipped and self._skipped[0].block <= block - KEPT_BLOCKS:
            self._skipped.popleft()

    def before(self) -> list[tuple[int, bytes]]:
        """Return the lines just before an interesting one, and forget the others."""
        near = self._last(BEFORE)
        self._skipped.clear()
        return near

    def after(self) -> None:
        """Read on for a while: something was learned."""
        self.budget = max(self.budget, AFTER)

    def take_tail(self, ranks: int) -> list[tuple[int, bytes]]:
        """Return the last lines that were left unread, more of them where many ranks speak, and forget the others."""
        most = min(MORE_TAIL, max(FEWEST, ranks * PER_RANK)) if self._skipped_whole_blocks else TAIL
        near = self._last(most)
        self._skipped.clear()
        return near

    def _last(self, most: int) -> list[tuple[int, bytes]]:
        parts: list[list[tuple[int, bytes]]] = []
        for stretch in reversed(self._skipped):
            if most <= 0:
                break
            parts.append(stretch.last(most))
            most -= len(parts[-1])
        return [line for part in reversed(parts) for line in part]
