"""Choose the lines worth reading: the head, what surrounds an interesting line, and the tail.

In a log of gigabytes nearly every line is ordinary. Between the interesting ones only enough are read to see that
training went on; of the rest, the last ones are kept for the signs of life at the end.
"""

from __future__ import annotations

from collections import deque

HEAD = 4000
BEFORE = 2
AFTER = 300
TAIL = 4000


class Neighbourhood:
    """Takes the numbered lines of one source in order."""

    def __init__(self) -> None:
        self._budget = HEAD
        self._skipped: deque[tuple[int, bytes]] = deque(maxlen=TAIL)

    def skip(self, number: int, line: bytes) -> bool:
        """Tell whether an ordinary line may be left unread for now."""
        if self._budget > 0:
            self._budget -= 1
            return False
        self._skipped.append((number, line))
        return True

    def before(self) -> list[tuple[int, bytes]]:
        """Return the lines just before an interesting one, and read on for a while after it."""
        self._budget = max(self._budget, AFTER)
        near = list(self._skipped)[-BEFORE:] if self._skipped else []
        self._skipped.clear()
        return near

    def tail(self) -> list[tuple[int, bytes]]:
        """Return the last lines that were left unread."""
        return list(self._skipped)
