"""The pipeline: texts in, Diagnosis out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from firstfault import catalogue, crowd, environment, explanation, extraction, platform_facts, reading
from firstfault.attribution import attribute
from firstfault.attribution.case import RunFacts
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.extraction import Watch
from firstfault.model import Evidence
from firstfault.wording import listing

FIRST_LOOK = 1.0  # seconds until a first partial answer, and at least between two
LOOK_SHARE = 20  # times as long as the last one took


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be diagnosed, and what the user knows about the run."""

    paths: tuple[Path, ...] = ()
    text: str | None = None
    exit_code: int | None = None
    command: str | None = None
    cwd: Path | None = None
    stream: IO[bytes] | None = None

    @property
    def facts(self) -> RunFacts:
        """What the user knows, as attribution wants it."""
        return RunFacts(self.exit_code, self.command, self.cwd)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a diagnosis is: bytes read of bytes in all, ranks seen, and the answer so far in a few words."""

    done: int
    total: int
    ranks: int = 0
    so_far: str = ""


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Who waits for an answer: `show` gets the progress after each block, `stop` is polled."""

    show: Callable[[Progress], None] = lambda _progress: None
    stop: Callable[[], bool] = lambda: False


def diagnose(request: Request, signatures: Catalogue | None = None, onlooker: Onlooker | None = None) -> Diagnosis:
    """Return the answer.

    Raises `FirstfaultError` when there is nothing to read, `Cancelled` when the onlooker says stop.
    """
    known = signatures or catalogue.builtin()
    evidence = read(request, known, onlooker)
    return conclude(evidence, known, request.facts)


def read(request: Request, signatures: Catalogue, onlooker: Onlooker | None = None) -> Evidence:
    """Return the evidence in the request's texts: the heavy half."""
    texts, notes = reading.find(list(request.paths)) if request.paths else ([], [])
    if request.stream is not None:
        texts.append(reading.Opened(None, "standard input", stream=request.stream))
    if request.text is not None:
        texts.append(reading.Opened(None, "output" if request.command else "text", request.text))
    watch = _Counter(request, signatures, onlooker, sum(map(reading.size, texts))).watch() if onlooker else Watch()
    if crowd.worth_it(texts):
        evidence = crowd.extract_in_processes(texts, signatures, watch, crowd.processes())
    else:
        evidence = extraction.extract(texts, signatures, watch)
    evidence.notes += notes
    return evidence


class _Counter:
    """Turns blocks that were read into what a person is shown."""

    def __init__(self, request: Request, signatures: Catalogue, onlooker: Onlooker, total: int) -> None:
        self._request, self._signatures, self._onlooker, self._total = request, signatures, onlooker, total
        self._done = self._size = 0
        self._next = time.monotonic() + FIRST_LOOK
        self._so_far = ""

    def watch(self) -> Watch:
        return Watch(self._advance, self._onlooker.stop, self._look)

    def _advance(self, read: int) -> None:
        self._done += read

    def _look(self, evidence: Evidence) -> None:
        """Show how far it is, and now and then what would be the answer if nothing else came."""
        now, size = time.monotonic(), len(evidence.tracebacks) + len(evidence.messages) + len(evidence.notices)
        if now >= self._next and size != self._size:
            self._size = size
            self._so_far = so_far(conclude(evidence, self._signatures, self._request.facts))
            self._next = time.monotonic() + max(FIRST_LOOK, LOOK_SHARE * (time.monotonic() - now))
        ranks = len({sighting.rank for sighting in evidence.sightings})
        self._onlooker.show(Progress(self._done, self._total, ranks, self._so_far))


def so_far(diagnosis: Diagnosis) -> str:
    """Return a partial answer in a few words, e.g. `rank 3, GPU out of memory`; empty while there is none."""
    if diagnosis.verdict == "no_failure":
        return ""
    ranks = diagnosis.initiating_ranks
    who = "rank not settled" if ranks is None else listing(ranks) if ranks else "no rank"
    return f"{who}, {diagnosis.cause.title if diagnosis.cause else 'cause not settled'}"


def conclude(evidence: Evidence, signatures: Catalogue, run: RunFacts) -> Diagnosis:
    """Return the answer for evidence, wherever it was read: the light half."""
    machine = None
    if platform_facts.ran_here(evidence, run.folder):
        machine = environment.read(folder=run.folder, site=platform_facts.packages_of(evidence))
    case, conclusion = attribute(evidence, signatures, run)
    return explanation.explain(case, conclusion, platform_facts.of(evidence, machine), run.command)
