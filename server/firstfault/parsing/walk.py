"""Walk over the blocks of one source and hand on the lines worth reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from firstfault.parsing.neighbourhood import HEAD, SETTLED, Data, Neighbourhood, Stretch
from firstfault.parsing.wear import Wear

CLUES = re.compile(rb"ank|ANK")  # what a line says that names a rank
FOR_CLUE = -1
GENEROUS = 200  # places after which the following lines are read even when nothing was learned
PER_RANK = 4  # lines of the head for each rank: so many without a new one, and all have spoken
POLL = 256  # lines


class Reader(Protocol):
    """What reads lines and knows what they mean."""

    @property
    def busy(self) -> bool:
        """Whether every line counts: inside a traceback or a table."""

    @property
    def ranks(self) -> int:
        """How many ranks have been seen."""

    def line(self, number: int, line: bytes, literals: Sequence[str]) -> Sequence[int] | None:
        """Read a line; return which known messages it told again, or None when it told something new."""

    def again(self, messages: Sequence[int], times: int, number: int) -> None:
        """Count messages that were told again, the last time in this line."""


class Walk:
    """Takes the blocks of one source in order. `poll` is called now and then, and may raise."""

    def __init__(self, reader: Reader, literals: Sequence[str], poll: Callable[[], None]) -> None:
        self._reader, self._literals, self._poll = reader, literals, poll
        self._near, self._wear = Neighbourhood(), Wear()
        self._block = self._read = self._places = self._ranks = self._quiet = 0
        self._data: Data = b""
        self._size = self._at = self._index = 0
        self._hits: list[tuple[int, int]] = []
        self._hit = 0
        self._number: Callable[[int], int] = int
        self._whole = self._settled = False
        self._repeated: dict[tuple[int, ...], tuple[int, int]] = {}
        self._again: dict[tuple[int, ...], tuple[int, int]] = {}

    def block(
        self, data: Data, size: int, hits: list[tuple[int, int]], number: Callable[[int], int], *, whole: bool
    ) -> None:
        """Walk over one block. `number`: a line's index -> its number; `whole`: it is all of the text."""
        self._data, self._size, self._hits, self._number, self._whole = data, size, hits, number, whole
        self._at = self._index = self._hit = 0
        self._block += 1
        self._near.forget(self._block)
        if self._settled:
            self._seek_clues()
        while self._at < size:
            if self._near.budget > 0 or self._reader.busy:
                self._step()
            elif not self._leap():
                break
        self._count_repeated()

    def finish(self) -> None:
        """Read the last lines that were left unread, and count what was only told again."""
        for messages, (times, number) in self._again.items():
            self._reader.again(messages, times, number)
        self._again.clear()
        for number, line in self._near.take_tail(self._reader.ranks):
            self._take(number, line, [])

    def _step(self) -> None:
        """Read the next line, whatever it is."""
        end = self._data.find(b"\n", self._at, self._size)
        end = self._size if end < 0 else end
        literals = self._literals_until(end)
        line = bytes(self._data[self._at : end])
        number = self._number(self._index)
        self._at, self._index = end + 1, self._index + 1
        if literals:
            self._interesting(number, line, literals)
            return
        if not self._reader.busy:
            self._near.budget -= 1
        self._take(number, line, [])
        self._settle()

    def _literals_until(self, end: int) -> list[str]:
        found: dict[int, None] = {}
        while self._hit < len(self._hits) and self._hits[self._hit][0] < end:
            if (identifier := self._hits[self._hit][1]) != FOR_CLUE:
                found[identifier] = None
            self._hit += 1
        return [self._literals[i] for i in found]

    def _leap(self) -> bool:
        """Go to the next line worth reading and read it; return False when this block has none."""
        begun, lines = self._at, self._index
        start = self._next_place()
        if start > begun:
            self._near.skip(Stretch(self._data, begun, start, lines, self._number, self._block))
        if start >= self._size:
            self._at = self._size
            return False
        self._index = lines + self._data.count(b"\n", begun, start)
        self._at = start
        if self._hits[self._hit][1] != FOR_CLUE:
            self._step()
            return True
        budget = self._near.budget
        self._near.budget = 1
        self._step()
        self._near.budget = max(budget, self._near.budget)
        return True

    def _next_place(self) -> int:
        """Return where the next line begins that is to be read; count those that only repeat what is known."""
        data, hits, at, size = self._data, self._hits, self._at, self._size
        while self._hit < len(hits):
            offset, identifier = hits[self._hit]
            start = data.rfind(b"\n", at, offset) + 1 or at
            if identifier == FOR_CLUE:
                return start
            end = data.find(b"\n", offset, size)
            end = size if end < 0 else end
            repeated = self._wear.known(bytes(data[start:end]))
            if repeated is None:
                return start
            while self._hit < len(hits) and hits[self._hit][0] < end:
                self._hit += 1
            if repeated:
                times, _ = self._repeated.get(repeated, (0, 0))
                self._repeated[repeated] = times + 1, start
            at = end
        return size

    def _count_repeated(self) -> None:
        at = index = 0
        for messages, (times, start) in sorted(self._repeated.items(), key=lambda item: item[1][1]):
            index += self._data.count(b"\n", at, start)
            at = start
            before, _ = self._again.get(messages, (0, 0))
            self._again[messages] = before + times, self._number(index)
        self._repeated.clear()

    def _interesting(self, number: int, line: bytes, literals: list[str]) -> None:
        """Read a line that holds something, and what stands around it."""
        for earlier in self._near.before():
            self._take(*earlier, [])
        self._places += 1
        found = self._take(number, line, literals)
        self._wear.read(line, found)
        if found is None or self._places <= GENEROUS:
            self._near.after()

    def _take(self, number: int, line: bytes, literals: Sequence[str]) -> Sequence[int] | None:
        self._read += 1
        if self._read % POLL == 0:
            self._poll()
        return self._reader.line(number, line, literals)

    def _settle(self) -> None:
        """End the head early where nothing new is learned; read it longer where new ranks go on to come."""
        self._quiet += 1
        if self._reader.ranks > self._ranks:
            self._ranks, self._quiet = self._reader.ranks, 0
            self._near.budget = max(self._near.budget, PER_RANK * self._ranks)
        enough = self._read < HEAD and self._quiet >= max(SETTLED, PER_RANK * self._ranks)
        if enough and not self._whole and not self._settled:
            self._settled, self._near.budget = True, 0
            self._seek_clues()

    def _seek_clues(self) -> None:
        """Find the lines that name a rank in what is left of the head."""
        left = HEAD - self._number(self._index)
        if left > 0:
            reach = self._at + left * (self._size // max(self._data.count(b"\n", 0, self._size), 1) + 1)
            clues = [(hit.start(), FOR_CLUE) for hit in CLUES.finditer(self._data, self._at, min(self._size, reach))]
            self._hits = sorted(self._hits[self._hit :] + clues)
            self._hit = 0
