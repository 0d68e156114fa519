"""Take what is found in one source into the evidence; what is told again and again is counted, not kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from firstfault.model import Evidence, Message, Notice, TableRow, Traceback

MAX_MESSAGES = 20_000
MAX_TRACEBACKS = 20_000
VARIANTS = 50  # of one clue by one speaker, which differ in what was captured only
MAX_NOTICES = 50_000
MAX_TEXT = 32 << 20  # characters of tracebacks that differ
ALIKE = 2_000  # equal tracebacks of one speaker that are kept, besides the latest


@dataclass(slots=True)
class _Alike:
    """Equal tracebacks: how often, where the latest is kept, and the first, whose texts the others share."""

    times: int
    latest: int
    first: Traceback


class Record:
    """Writes one source's findings into the evidence."""

    def __init__(self, source: int, evidence: Evidence) -> None:
        self._source, self._evidence = source, evidence
        self._messages: dict[object, int] = {}
        self._tracebacks: dict[object, _Alike] = {}
        self._variants: Counter[object] = Counter()
        self._text = 0
        self._news = False
        self._told: list[int] = []

    def begin(self) -> None:
        """Begin a line."""
        self._news = False
        self._told.clear()

    def repeated(self) -> tuple[int, ...] | None:
        """Return which known messages the line told again; None when it told something new."""
        return None if self._news else tuple(self._told)

    def message(self, message: Message) -> None:
        """Keep a message, or count it with its equals of one speaker."""
        finding = message.finding
        captures = tuple(sorted(finding.captures.items()))
        key = (finding.signature, finding.signal, finding.role, message.place.speaker, captures)
        at = self._messages.get(key)
        if at is not None:
            self.again([at], 1, message.place.line)
            self._told.append(at)
            return
        kind = (finding.signature, finding.signal, message.place.speaker)
        self._variants[kind] += 1
        if finding.role == "context" and self._variants[kind] > VARIANTS:
            return
        if len(self._evidence.messages) < MAX_MESSAGES:
            self._news = True
            self._messages[key] = len(self._evidence.messages)
            self._evidence.messages.append(message)

    def again(self, messages: Sequence[int], times: int, number: int) -> None:
        """Count messages that were told again, the last time in this line."""
        for at in messages:
            old = self._evidence.messages[at]
            place = replace(old.place, end_line=max(number, old.place.end_line))
            self._evidence.messages[at] = replace(old, place=place, count=old.count + times)

    def notice(self, notice: Notice) -> None:
        """Keep a launcher's notice."""
        self._news = True
        if len(self._evidence.notices) < MAX_NOTICES:
            self._evidence.notices.append(notice)

    def row(self, row: TableRow) -> None:
        """Keep a block of a failure table."""
        self._news = True
        self._evidence.rows.append(row)

    def traceback(self, traceback: Traceback) -> None:
        """Keep a traceback; of many equal ones the first and the latest."""
        self._news = True
        speaker, launcher = traceback.place.speaker, traceback.launcher
        key: tuple[object, ...] = (speaker, traceback.chain, traceback.uncaught, traceback.ignored, launcher)
        alike, found = self._tracebacks.get(key), self._evidence.tracebacks
        if alike is None:
            self._text += sum(map(len, traceback.text))
            if self._text > MAX_TEXT or len(found) >= MAX_TRACEBACKS:
                key = ()  # too many that differ: only the latest of the further ones is kept
                alike = self._tracebacks.get(key)
        if alike is None:
            self._tracebacks[key] = _Alike(1, len(found), traceback)
            found.append(traceback)
            return
        alike.times += 1
        if traceback.chain == alike.first.chain:
            same = alike.first
            traceback = replace(
                traceback, chain=same.chain, text=same.text if same.text == traceback.text else traceback.text
            )
        if alike.times <= ALIKE and key:
            alike.latest = len(found)
            found.append(traceback)
        else:
            found[alike.latest] = replace(traceback, count=alike.times)
