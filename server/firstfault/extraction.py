"""Texts -> Evidence: the heavy half of a diagnosis, which can run where the logs are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from firstfault import formats, matching, patterns, prefilter, reading
from firstfault.catalogue import Catalogue, Trigger, builtin
from firstfault.errors import FirstfaultError
from firstfault.formats import Format, NoticeShape
from firstfault.literals import required_literals
from firstfault.model import Evidence, Finding, Message, Notice, Place, Source, TableRow, Traceback
from firstfault.parsing import unwrap
from firstfault.parsing.census import Census
from firstfault.parsing.neighbourhood import Neighbourhood
from firstfault.parsing.table import LITERALS as TABLES
from firstfault.parsing.table import Table
from firstfault.parsing.tagging import SAMPLE_LINES, Tagged, Tagger
from firstfault.parsing.tracebacks import LITERALS as TRACEBACKS
from firstfault.parsing.tracebacks import REMOTE, Tracebacks
from firstfault.prefilter import Prefilter

MAX_MESSAGES = 20_000
MAX_TRACEBACKS = 20_000
SENTENCE = re.compile(r"(?<![\w.:/=-])[a-z]+(?= )")
TALK = 4  # plain words before a message, in a line that begins with a word and not with a program's stamp
NUMBERED = ("rank", "local_rank", "attempt")
FRAMEWORKS = {
    "/lightning/": "lightning",
    "/pytorch_lightning/": "lightning",
    "/transformers/": "hf",
    "/accelerate/": "accelerate",
    "/deepspeed/": "deepspeed",
    "/ray/train/": "ray",
    "/megatron/": "megatron",
    "/vllm/": "vllm",
    "RayTrainWorker": "ray",
}


class Cancelled(Exception):
    """The person who asked has cancelled."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """All that lines are compared with, compiled once per catalogue."""

    formats: tuple[Format, ...]
    prefilter: Prefilter
    triggers: dict[str, list[Trigger]]
    notices: dict[str, list[tuple[Format, NoticeShape]]]
    slow: set[Trigger] = field(default_factory=set)

    @classmethod
    def of(cls, catalogue: Catalogue, *, fast: bool = True) -> Shapes:
        """Collect the literals of signatures and formats."""
        loaded = formats.load()
        triggers: dict[str, list[Trigger]] = {}
        notices: dict[str, list[tuple[Format, NoticeShape]]] = {}
        for trigger in chain(catalogue.triggers, catalogue.signals):
            for literal in trigger.literals:
                triggers.setdefault(literal, []).append(trigger)
        for form in loaded:
            for shape in form.notices:
                for literal in required_literals(shape.regex):
                    notices.setdefault(literal, []).append((form, shape))
        return cls(
            loaded, Prefilter([*triggers, *notices, *FRAMEWORKS, *TRACEBACKS, *TABLES], fast=fast), triggers, notices
        )


def extract(
    texts: Sequence[reading.Opened],
    catalogue: Catalogue,
    *,
    advance: Callable[[int], None] = lambda _bytes: None,
    stop: Callable[[], bool] = lambda: False,
    fast: bool = True,
) -> Evidence:
    """Read the texts and return what they show. `advance` gets bytes read; `stop` is polled; raises `Cancelled`."""
    evidence, shapes = Evidence(), Shapes.of(catalogue, fast=fast)
    done = 0

    def count(read_bytes: int) -> None:
        nonlocal done
        done += read_bytes
        advance(read_bytes)

    for index, text in enumerate(texts):
        source = source_of(index, text, shapes.formats)
        evidence.sources.append(source)
        _Reader(source, evidence, shapes).read(text, count, stop)
    evidence.notes += _limits(shapes, catalogue, done)
    evidence.tracebacks.sort(key=lambda t: (t.place.source, t.place.line))
    return evidence


def _limits(shapes: Shapes, catalogue: Catalogue, read_bytes: int) -> Iterator[str]:
    """Yield what was skipped, or ran on a fallback that could be noticed."""
    if prefilter.MISSING and read_bytes >= prefilter.NOTICEABLE:
        yield prefilter.MISSING
    if patterns.MISSING and not catalogue.keys() <= builtin().keys():
        yield patterns.MISSING
    for name in sorted({trigger.signature.id for trigger in shapes.slow}):
        yield f"{name}: a pattern of this signature took too long on one text and was skipped"


def source_of(index: int, text: reading.Opened, loaded: Sequence[Format]) -> Source:
    """Describe a text by what its path says: a rank, a local rank, an attempt, a node."""
    source = Source(index, str(text.path) if text.path else None, text.name)
    for form in loaded:
        for regex in form.paths:
            if hit := formats.compiled(regex).search(text.name):
                groups = hit.groupdict()
                rank, local, attempt = (int(v) if (v := groups.get(k)) else None for k in NUMBERED)
                return replace(
                    source, rank=rank, local_rank=local, attempt=attempt, node=groups.get("node"), format=form.name
                )
    return source


class _Reader:
    """Reads one source into the evidence."""

    def __init__(self, source: Source, evidence: Evidence, shapes: Shapes) -> None:
        self._source, self._evidence, self._shapes = source, evidence, shapes
        frames = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.frames]
        reports = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.reports]
        agents = [(f.name, formats.compiled(regex)) for f in shapes.formats for regex in f.agents]
        self._tracebacks = Tracebacks(source.index, self._traceback, frames, reports, agents)
        self._table = Table(source.index, self._row)
        self._census = Census(source.index, evidence)
        self._known: dict[object, int] = {}
        self._tagger: Tagger | None = None
        self._width: int | None = None
        self._near = Neighbourhood()

    def read(self, text: reading.Opened, advance: Callable[[int], None], stop: Callable[[], bool]) -> None:
        """Read all blocks; what breaks off midway is noted and what came before stands."""
        try:
            for block in reading.blocks(text):
                if stop():
                    raise Cancelled
                self._block(block)
                advance(len(block.data))
        except FirstfaultError as error:
            self._evidence.notes.append(str(error))
        for number, line in self._near.tail():
            self._whole(number, line, [])
        self._tracebacks.finish()
        if self._tagger:
            names = {f.launcher for f in self._shapes.formats if f.name in self._tagger.seen and f.launcher}
            self._evidence.launchers += sorted(names - set(self._evidence.launchers))

    def _block(self, block: reading.Block) -> None:
        lines = block.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        if self._tagger is None:
            self._width = unwrap.width(lines[:SAMPLE_LINES])
        data: bytes = block.data
        starts: Sequence[int] = range(len(lines))
        if self._width:
            lines, starts = unwrap.join(lines, self._width)
            data = b"\n".join(lines)
        hot = self._shapes.prefilter.lines(data, lines)
        if self._tagger is None:
            sample = [next(reading.decode(line)) for line in islice(lines, SAMPLE_LINES)]
            self._tagger = Tagger(self._source, self._shapes.formats, [s for s in sample if s])
        self._evidence.empty &= not block.data.strip()
        self._evidence.last_lines[self._source.index] = block.first + starts[-1] if lines else block.first
        for index, line in enumerate(lines):
            number, literals = block.first + starts[index], hot.get(index)
            if literals is None and not self._busy():
                if self._near.skip(number, line):
                    continue
            elif literals is not None:
                for earlier in self._near.before():
                    self._whole(*earlier, [])
            self._whole(number, line, literals or [])

    def _busy(self) -> bool:
        """Tell whether every line counts: inside a traceback or a table."""
        return self._tracebacks.reading or self._table.reading

    def _whole(self, number: int, line: bytes, literals: list[str]) -> None:
        assert self._tagger is not None
        for part in reading.decode(line):
            for piece in unwrap.pieces(part):
                for tagged in self._tagger.tag(piece):
                    self._line(tagged, number, literals)

    def _line(self, line: Tagged, number: int, literals: list[str]) -> None:
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

    def _frameworks(self, literals: list[str]) -> None:
        for literal in literals:
            name = FRAMEWORKS.get(literal)
            if name and name not in self._evidence.frameworks:
                self._evidence.frameworks.append(name)

    def _signals(self, line: Tagged, number: int, literals: list[str]) -> None:
        """Note further signals of signatures inside a traceback or table, e.g. a frame of multiprocessing/spawn.py."""
        triggers = {id(t): t for x in literals for t in self._shapes.triggers.get(x, []) if t.signal is not None}
        for hit in matching.confirm(line.text, triggers.values(), self._shapes.slow):
            place = Place(self._source.index, number, number, line.speaker, line.time)
            self._message(Message(place, line.text.strip()[:400], hit.finding()))

    def _notices(self, text: str, place: Place, literals: list[str]) -> bool:
        found = False
        for form, shape in {id(s): (f, s) for x in literals for f, s in self._shapes.notices.get(x, [])}.values():
            if hit := formats.compiled(shape.regex).search(text):
                fields = {k: v for k, v in hit.groupdict().items() if v is not None}
                self._evidence.notices.append(Notice(place, shape.kind, form.name, fields, text.strip()[:400]))
                found = True
        return found

    def _messages(self, text: str, place: Place, literals: list[str]) -> bool:
        """Note the signatures that a line shows; return whether the line tells of a failure."""
        triggers = {id(t): t for x in literals for t in self._shapes.triggers.get(x, [])}
        found = matching.confirm(text, triggers.values(), self._shapes.slow)
        owner = matching.best(f for f in found if f.signal is None)
        if owner and owner.pattern.role != "context" and is_prose(text, owner):
            return False
        for hit in found:
            if hit is owner or hit.signal is not None or hit.pattern.role == "context":
                self._message(Message(place, text.strip()[:2000], hit.finding()))
        return owner is not None and owner.pattern.role != "context"

    def _message(self, message: Message) -> None:
        finding = message.finding
        captures = tuple(sorted(finding.captures.items()))
        key = (finding.signature, finding.signal, finding.role, message.place.speaker, captures)
        at = self._known.get(key)
        if at is not None:
            old = self._evidence.messages[at]
            place = replace(old.place, end_line=message.place.line)
            self._evidence.messages[at] = replace(old, place=place, count=old.count + 1)
        elif len(self._evidence.messages) < MAX_MESSAGES:
            self._known[key] = len(self._evidence.messages)
            self._evidence.messages.append(message)

    def _row(self, row: TableRow) -> None:
        self._evidence.rows.append(row)

    def _traceback(self, traceback: Traceback) -> None:
        """Match a finished traceback: of all exceptions of its chain, the one that says most owns it."""
        found = [(raised, self._raised(raised.text[:20_000], traceback.place)) for raised in traceback.chain]
        owner = matching.best(f for _, hits in found for f in hits if f.signal is None)
        # a wrapper around an exception that no signature knows: the unknown one is what happened
        if owner and owner.pattern.role == "context" and any(not hits for _, hits in found):
            owner = None
        mentions: tuple[Finding, ...] = tuple(f.finding() for _, hits in found for f in hits if f is not owner)
        if len(self._evidence.tracebacks) < MAX_TRACEBACKS:
            finding = owner.finding() if owner else None
            origin = next((i for i, (_, hits) in enumerate(found) if owner in hits), _unknown_origin(traceback))
            process = self._process(traceback)
            whole = replace(traceback, finding=finding, mentions=mentions, origin=origin, process=process)
            self._evidence.tracebacks.append(whole)

    def _process(self, traceback: Traceback) -> int | None:
        """Return the process that a report names as the one in which it happened."""
        texts = [raised.text[:2000] for raised in traceback.chain]
        regexes = [formats.compiled(regex) for form in self._shapes.formats for regex in form.origins]
        return next((int(hit["pid"]) for t in texts for regex in regexes if (hit := regex.search(t))), None)

    def _raised(self, text: str, place: Place) -> list[matching.Found]:
        """Match one exception's text, and note what it tells of a launcher."""
        data = text.encode("utf-8", "replace")
        literals = self._shapes.prefilter.lines(data, [data]).get(0, [])
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
