"""One source -> evidence: its blocks, lines, prefixes, tracebacks, tables and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from firstfault import formats, matching, reading, scanning
from firstfault.errors import Cancelled, FirstfaultError
from firstfault.model import Evidence, Finding, Message, Notice, Place, Source, Traceback
from firstfault.parsing import unwrap
from firstfault.parsing.census import Census
from firstfault.parsing.table import Table
from firstfault.parsing.tagging import SAMPLE_LINES, Tagged, Tagger
from firstfault.parsing.tracebacks import REMOTE, Tracebacks
from firstfault.parsing.walk import Walk
from firstfault.record import Record
from firstfault.shapes import FRAMEWORKS, Shapes

SENTENCE = re.compile(r"(?<![\w.:/=-])[a-z]+(?= )")
TALK = 4  # plain words before a message, in a line that begins with a word and not with a program's stamp
LONG = 1 << 14  # bytes; of a longer line in which nothing was found only the ends are read
ENDS = 1 << 11
STALE = 20_000  # lines after which an unfinished traceback is not waited for


class SourceReader:
    """Reads one source into the evidence."""

    def __init__(self, source: Source, evidence: Evidence, shapes: Shapes, stop: Callable[[], bool]) -> None:
        self._source, self._evidence, self._shapes = source, evidence, shapes
        frames = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.frames]
        reports = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.reports]
        agents = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.agents]
        self._record = Record(source.index, evidence)
        self._tracebacks = Tracebacks(source.index, self._traceback, frames, reports, agents)
        self._table = Table(source.index, self._record.row)
        self._census = Census(source.index, evidence)
        self._stop = stop
        self._tagger: Tagger | None = None
        self._width: int | None = None
        self._parts: tuple[Path, ...] = ()
        self._lines = 0  # newlines of the blocks before
        self._walk = Walk(self, shapes.prefilter.literals, self._poll)

    def read(self, text: reading.Opened, advance: Callable[[int], None], threads: int) -> None:
        """Read all blocks; what breaks off midway is noted and what came before stands."""
        self._parts = text.parts
        try:
            for scanned in scanning.scan(text, self._shapes.prefilter, threads):
                self._poll()
                self._scanned(scanned)
                advance(scanned.block.chunk.size)
        except FirstfaultError as error:
            self._evidence.notes.append(str(error))
        self.catch_up(whole=True)

    def more(self, data: bytes) -> None:
        """Read whole lines of a text that goes on growing."""
        block = reading.tidy(reading.Chunk(bytearray(data), len(data), last=False))
        self._scanned(scanning.Scanned(block, self._shapes.prefilter.hits(block.data, block.size)))

    def catch_up(self, *, whole: bool) -> None:
        """Read what was left unread so far: the last signs of life, and with `whole` what is not finished yet."""
        self._walk.finish()
        if whole:
            self._tracebacks.finish()
        if self._tagger:
            names = {f.launcher for f in self._shapes.formats if f.name in self._tagger.seen and f.launcher}
            self._evidence.launchers += sorted(names - set(self._evidence.launchers))

    @property
    def busy(self) -> bool:
        """Whether every line counts: inside a traceback or a table."""
        return self._tracebacks.reading or self._table.reading

    @property
    def ranks(self) -> int:
        """How many ranks have been seen."""
        return self._census.ranks

    def _poll(self) -> None:
        if self._stop():
            raise Cancelled

    def _scanned(self, scanned: scanning.Scanned) -> None:
        """Walk over a block, with the lines of a text that was broken at a fixed width put together."""
        block, first = scanned.block, self._lines + 1
        self._part(block.chunk.part, first)
        self._tracebacks.forget_before(first - STALE)
        if self._tagger is None:
            self._begin(block)
        whole = block.chunk.last and not self._lines
        if self._width:
            lines = bytes(block.data[: block.size]).removesuffix(b"\n").split(b"\n")
            joined, starts = unwrap.join(lines, self._width)
            data = b"\n".join(joined)
            hits = self._shapes.prefilter.hits(data, len(data))
            self._walk.block(data, len(data), hits, lambda i: first + starts[i], whole=whole)
        else:
            self._walk.block(block.data, block.size, scanned.hits, lambda i: first + i, whole=whole)
        if self._evidence.empty:
            self._evidence.empty = not bytes(block.data[: block.size]).strip()
        ended = block.data[block.size - 1 : block.size] == b"\n"
        self._lines += block.lines
        self._evidence.last_lines[self._source.index] = max(self._lines + (not ended), 1)
        if block.chunk.last and not ended:
            self._lines += 1  # another file of a rotated log begins on a line of its own

    def _part(self, part: int, first: int) -> None:
        """Note where a further file of a rotated log begins."""
        index, known = self._source.index, self._evidence.sources[self._source.index]
        if self._parts and part >= len(known.parts):
            parts = (*known.parts, *((first, str(path)) for path in self._parts[len(known.parts) : part + 1]))
            self._evidence.sources[index] = replace(known, parts=parts)

    def _begin(self, block: reading.Block) -> None:
        """Learn from the first lines how the text is written."""
        lines = bytes(block.data[: block.size]).split(b"\n", SAMPLE_LINES)[:SAMPLE_LINES]
        self._width = unwrap.width(lines)
        if self._width:
            lines, _ = unwrap.join(lines, self._width)
        sample = [next(reading.decode(line)) for line in islice(lines, SAMPLE_LINES)]
        self._tagger = Tagger(self._source, self._shapes.formats, [s for s in sample if s])

    def line(self, number: int, line: bytes, literals: Sequence[str]) -> Sequence[int] | None:
        """Read one line; return which known messages it told again, or None when it told something new."""
        assert self._tagger is not None
        self._record.begin()
        if len(line) > LONG and not literals:
            line = line[:ENDS] + b"\r" + line[-ENDS:]
        for part in reading.decode(line):
            for piece in unwrap.pieces(part):
                for tagged in self._tagger.tag(piece):
                    self._line(tagged, number, literals)
        return None if self.busy else self._record.repeated()

    def again(self, messages: Sequence[int], times: int, number: int) -> None:
        """Count messages that were told again, the last time in this line."""
        self._record.again(messages, times, number)

    def _line(self, line: Tagged, number: int, literals: Sequence[str]) -> None:
        kept = self._table.take(line, number)
        if kept is None or self._tracebacks.take(kept, number):
            self._frameworks(literals)
            self._signals(kept or line, number, literals)
            if kept is not None and self._tracebacks.doubtful:
                self._census.take(kept, number)
            return
        ordinary = True
        if literals:
            self._frameworks(literals)
            place = Place(self._source.index, number, number, line.speaker, line.time)
            here = [literal for literal in literals if literal in line.text]
            ordinary = not self._notices(line.text, place, here)
            ordinary &= not self._messages(line.text, place, here)
        if ordinary:
            self._census.take(line, number)

    def _frameworks(self, literals: Sequence[str]) -> None:
        for literal in literals:
            name = FRAMEWORKS.get(literal)
            if name and name not in self._evidence.frameworks:
                self._evidence.frameworks.append(name)

    def _signals(self, line: Tagged, number: int, literals: Sequence[str]) -> None:
        """Note further signals of signatures inside a traceback or table, e.g. a frame of multiprocessing/spawn.py."""
        triggers = {id(t): t for x in literals for t in self._shapes.triggers.get(x, []) if t.signal is not None}
        for hit in matching.confirm(line.text, triggers.values(), self._shapes.slow):
            place = Place(self._source.index, number, number, line.speaker, line.time)
            self._record.message(Message(place, line.text.strip()[:400], hit.finding()))

    def _notices(self, text: str, place: Place, literals: Sequence[str]) -> bool:
        found = False
        for form, shape in {id(s): (f, s) for x in literals for f, s in self._shapes.notices.get(x, [])}.values():
            if hit := formats.compiled(shape.regex).search(text):
                fields = {k: v for k, v in hit.groupdict().items() if v is not None}
                self._record.notice(Notice(place, shape.kind, form.name, fields, text.strip()[:400]))
                found = True
        return found

    def _messages(self, text: str, place: Place, literals: Sequence[str]) -> bool:
        """Note the signatures that a line shows; return whether the line tells of a failure."""
        triggers = {id(t): t for x in literals for t in self._shapes.triggers.get(x, [])}
        found = matching.confirm(text, triggers.values(), self._shapes.slow)
        owner = matching.best(f for f in found if f.signal is None)
        if owner and owner.pattern.role != "context" and is_prose(text, owner):
            return False
        for hit in found:
            if hit is owner or hit.signal is not None or hit.pattern.role == "context":
                self._record.message(Message(place, text.strip()[:2000], hit.finding()))
        return owner is not None and owner.pattern.role != "context"

    def _traceback(self, traceback: Traceback) -> None:
        """Match a finished traceback: of all exceptions of its chain, the one that says most owns it."""
        found = [(raised, self._raised(raised.text[:20_000], traceback.place)) for raised in traceback.chain]
        owner = matching.best(f for _, hits in found for f in hits if f.signal is None)
        # a wrapper around an exception that no signature knows: the unknown one is what happened
        if owner and owner.pattern.role == "context" and any(not hits for _, hits in found):
            owner = None
        mentions: tuple[Finding, ...] = tuple(f.finding() for _, hits in found for f in hits if f is not owner)
        finding = owner.finding() if owner else None
        origin = next((i for i, (_, hits) in enumerate(found) if owner in hits), _unknown_origin(traceback))
        process = self._process(traceback)
        self._record.traceback(replace(traceback, finding=finding, mentions=mentions, origin=origin, process=process))

    def _process(self, traceback: Traceback) -> int | None:
        """Return the process that a report names as the one in which it happened."""
        texts = [raised.text[:2000] for raised in traceback.chain]
        regexes = [formats.compiled(regex) for form in self._shapes.formats for regex in form.origins]
        return next((int(hit["pid"]) for t in texts for regex in regexes if (hit := regex.search(t))), None)

    def _raised(self, text: str, place: Place) -> list[matching.Found]:
        """Match one exception's text, and note what it tells of a launcher."""
        literals = self._shapes.prefilter.named(text)
        self._notices(text, replace(place, line=place.end_line), literals)
        triggers = {id(t): t for x in literals for t in self._shapes.triggers.get(x, [])}
        return matching.confirm(text, triggers.values(), self._shapes.slow)


def _unknown_origin(traceback: Traceback) -> int:
    """Return the exception that counts when no signature knows any: the re-raised last, or the hidden first.

    A remote exception stands around the one that was raised over there.
    """
    remote = [i for i, raised in enumerate(traceback.chain) if REMOTE.search(raised.type)]
    if remote:
        return min(remote[-1] + 1, len(traceback.chain) - 1)
    reraised = traceback.spawn_index is not None or any("Original Traceback" in line for line in traceback.text)
    return len(traceback.chain) - 1 if reraised else 0


def is_prose(text: str, found: matching.Found) -> bool:
    """Tell whether a line only talks about a failure: whole words of a sentence stand before the message."""
    return text[:1].isalpha() and len(SENTENCE.findall(text[: matching.start(found, text)])) >= TALK
