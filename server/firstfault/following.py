"""A run that is still going: its logs as they grow, what fails as it appears, and when all ranks fall silent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from firstfault import extraction, reading
from firstfault.analysis import Request, conclude
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.errors import FirstfaultError
from firstfault.model import Evidence, Sighting
from firstfault.reading import Opened
from firstfault.shapes import Shapes
from firstfault.source_reader import SourceReader
from firstfault.wording import listing

SILENT = 300.0  # seconds; half of NCCL's own default timeout of ten minutes (torch.distributed.constants)
INTERVAL = 1.0
MOST = 8  # ranks that are named with their last words


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to look, after how long without a line a run counts as hung, and the clock."""

    silent_after: float = SILENT
    interval: float = INTERVAL
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class _Followed:
    """One file that may grow: where reading stands in it, and which file it was."""

    text: Opened
    reader: SourceReader
    position: int = 0
    inode: int = 0
    rest: bytes = b""


@dataclass(slots=True)
class Follower:
    """Follows the files below some paths. `evidence` is what all of them have shown so far."""

    request: Request
    signatures: Catalogue
    evidence: Evidence = field(default_factory=Evidence)
    _shapes: Shapes | None = None
    _files: dict[Path, _Followed] = field(default_factory=dict)

    def grow(self) -> bool:
        """Read what has been written since; return whether there was anything."""
        for text in self._texts():
            if text.path is not None and text.path not in self._files:
                self._files[text.path] = self._begin(text)
        grown = [self._read(file) for file in self._files.values()]  # each of them, not only the first
        return any(grown)

    def diagnosis(self, *, settled: bool) -> Diagnosis:
        """Return the answer as if the run had ended here. `settled`: nothing came lately, so texts are whole."""
        for file in self._files.values():
            file.reader.catch_up(whole=settled)
        return conclude(self.evidence, self.signatures, self.request.facts)

    @property
    def over(self) -> bool:
        """Whether the launcher has said that all ranks finished."""
        return any(notice.kind == "succeeded" for notice in self.evidence.notices)

    def last_seen(self) -> list[Sighting]:
        """Return the last sign of life of each rank, the rank that is farthest behind first."""
        for file in self._files.values():
            file.reader.catch_up(whole=True)
        latest: dict[int, Sighting] = {}
        for sighting in self.evidence.sightings:
            old = latest.get(sighting.rank)
            if old is None or (sighting.last_time or "", sighting.last_line) > (old.last_time or "", old.last_line):
                latest[sighting.rank] = sighting
        return sorted(latest.values(), key=lambda s: (s.last_time or "", s.last_line))

    def where(self, sighting: Sighting) -> str:
        """Return a place that a person can open."""
        return f"{self.evidence.sources[sighting.source].name}:{sighting.last_line}"

    def _texts(self) -> list[Opened]:
        try:
            return reading.find(list(self.request.paths))[0]
        except FirstfaultError:
            return []  # nothing there yet

    def _begin(self, text: Opened) -> _Followed:
        self._shapes = self._shapes or Shapes.of(self.signatures)
        source = extraction.source_of(len(self.evidence.sources), text, self._shapes.formats)
        self.evidence.sources.append(source)
        return _Followed(text, SourceReader(source, self.evidence, self._shapes, lambda: False))

    @staticmethod
    def _read(file: _Followed) -> bool:
        assert file.text.path is not None
        try:
            found = file.text.path.stat()
            if found.st_ino != file.inode or found.st_size < file.position:
                file.position, file.inode = 0, found.st_ino  # rotated, or begun anew
            grown = reading.since(file.text.path, file.position)
        except OSError:
            return False  # gone between two looks
        for data in grown:
            file.position += len(data)
            file.rest += data
            cut = file.rest.rfind(b"\n") + 1 or len(file.rest) // reading.BLOCK * reading.BLOCK
            if cut:
                file.reader.more(file.rest[:cut])
                file.rest = file.rest[cut:]
        return bool(grown)


def follow(request: Request, signatures: Catalogue, pace: Pace | None = None) -> Iterator[str]:
    """Yield a sentence for each new answer, and one when all ranks have been silent for too long; without end."""
    pace, follower = pace or Pace(), Follower(request, signatures)
    told, heard, grown, waiting = "", pace.now(), False, False
    while True:
        before, grown = grown, follower.grow()
        if grown:
            heard, waiting = pace.now(), True
        if grown or before:
            diagnosis = follower.diagnosis(settled=not grown)
            if diagnosis.verdict != "no_failure" and diagnosis.summary != told:
                told = diagnosis.summary
                yield told
        elif waiting and pace.now() - heard >= pace.silent_after:
            waiting = False
            if not told and not follower.over:
                yield silence(follower, pace.silent_after)
        pace.sleep(pace.interval)


def silence(follower: Follower, seconds: float) -> str:
    """Say that a run seems to hang, and who was last seen where."""
    seen = follower.last_seen()
    if not seen:
        return f"The run seems to hang: nothing was written for {seconds:g} seconds."
    first = [f"rank {s.rank} at {follower.where(s)}: {s.last_text}" for s in seen[:MOST]]
    more = f"; {len(seen) - MOST} more ranks after these" if len(seen) > MOST else ""
    return (
        f"The run seems to hang: {listing(s.rank for s in seen)} wrote nothing for {seconds:g} seconds. "
        f"Last seen, the one that fell silent first at the head: {'; '.join(first)}{more}."
    )
