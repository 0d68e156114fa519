"""Read torchelastic's failure table, which is spread over lines (torch/distributed/elastic/multiprocessing/errors)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from firstfault.model import Place, Speaker, TableRow
from firstfault.parsing.tagging import Tagged

ROOTS = ("Root Cause (first observed failure):", "Root Cause:")  # the second: torch 1.9
OTHERS = ("Failures:", "Other Failures:")
LITERALS = ("Root Cause", "Failures:")
FIELD = re.compile(r"^\s+(?P<name>time|host|rank|exitcode|error_file|traceback|msg)\s*: ?(?P<value>.*)$")
RANK = re.compile(r"^(?P<rank>\d+) \(local_rank: (?P<local>\d+)\)")
EXIT = re.compile(r"^(?P<code>-?\d+) +\(pid: (?P<pid>\d+)\)")
RULER = re.compile(r"^\s*(?:\[\d+\]:|[-*]{20,}|<NO_OTHER_FAILURES>|={20,})\s*$")
QUOTED = "Traceback (most recent call last):"


class Table:
    """Takes the lines of one source and gives back those that are not the table's own.

    With `@record` the table quotes a rank's traceback: its lines come back as that rank's, without the indent.
    """

    def __init__(self, source: int, emit: Callable[[TableRow], None]) -> None:
        self._source, self._emit = source, emit
        self._fields: dict[str, str] = {}
        self._root = self._inside = False
        self._first = 0
        self._rank: int | None = None
        self._quoting = False

    @property
    def reading(self) -> bool:
        """Whether a table has begun and not ended."""
        return self._inside

    def take(self, line: Tagged, number: int) -> Tagged | None:
        """Return the line for further reading, or None when it is the table's."""
        text = line.text
        stripped = text.strip()
        if stripped in ROOTS + OTHERS:
            self._inside, self._root, self._quoting = True, stripped in ROOTS, False
            return None
        if not self._inside:
            return line
        if RULER.match(text):
            self._quoting = False
            self._inside = not stripped.startswith("=")
            return None
        if not self._quoting and (hit := FIELD.match(text)):
            return self._field(hit["name"], hit["value"].strip(), line, number)
        if self._quoting:
            return self._quote(line, text[2:])
        self._inside = not stripped or text.startswith(" ")
        return None if self._inside else line

    def _field(self, name: str, value: str, line: Tagged, number: int) -> Tagged | None:
        self._first = number if not self._fields else self._first
        self._fields[name] = value
        if name == "exitcode":
            self._row(number, line.speaker)
        if name == "traceback" and value.startswith(QUOTED):
            self._quoting = True
            return self._quote(line, QUOTED)
        return None

    def _quote(self, line: Tagged, text: str) -> Tagged:
        return replace(line, speaker=replace(line.speaker, rank=self._rank), text=text, key=("table", self._rank))

    def _row(self, number: int, speaker: Speaker) -> None:
        rank, code = RANK.match(self._fields.get("rank", "")), EXIT.match(self._fields["exitcode"])
        fields, self._fields = self._fields, {}
        if rank and code:
            self._rank = int(rank["rank"])
            place = Place(self._source, self._first, number, speaker, fields.get("time", "").replace("_", "T") or None)
            row = (self._rank, int(rank["local"]), int(code["code"]), int(code["pid"]))
            self._emit(TableRow(place, *row, fields.get("host", ""), fields.get("time", ""), self._root))
