"""The pipeline: texts in, Diagnosis out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from firstfault import catalogue, environment, explanation, extraction, platform_facts, reading
from firstfault.attribution import attribute
from firstfault.attribution.case import RunFacts
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.model import Evidence


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be diagnosed, and what the user knows about the run."""

    paths: tuple[Path, ...] = ()
    text: str | None = None
    exit_code: int | None = None
    command: str | None = None
    cwd: Path | None = None
    stream: IO[bytes] | None = None


def diagnose(
    request: Request,
    signatures: Catalogue | None = None,
    *,
    advance: Callable[[int, int], None] = lambda _done, _total: None,
    stop: Callable[[], bool] = lambda: False,
) -> Diagnosis:
    """Return the answer. `advance` gets bytes read and bytes in all; `stop` is polled.

    Raises `FirstfaultError` when there is nothing to read, `extraction.Cancelled` when `stop` says so.
    """
    known = signatures or catalogue.builtin()
    evidence = read(request, known, advance=advance, stop=stop)
    return conclude(evidence, known, RunFacts(request.exit_code, request.command, request.cwd))


def read(
    request: Request,
    signatures: Catalogue,
    *,
    advance: Callable[[int, int], None] = lambda _done, _total: None,
    stop: Callable[[], bool] = lambda: False,
) -> Evidence:
    """Return the evidence in the request's texts: the heavy half."""
    texts, notes = reading.find(list(request.paths)) if request.paths else ([], [])
    if request.stream is not None:
        texts.append(reading.Opened(None, "standard input", stream=request.stream))
    if request.text is not None:
        texts.append(reading.Opened(None, "text", request.text))
    total = sum(map(reading.size, texts))
    done = 0

    def count(read_bytes: int) -> None:
        nonlocal done
        done += read_bytes
        advance(done, total)

    evidence = extraction.extract(texts, signatures, advance=count, stop=stop)
    evidence.notes += notes
    return evidence


def conclude(evidence: Evidence, signatures: Catalogue, run: RunFacts) -> Diagnosis:
    """Return the answer for evidence, wherever it was read: the light half."""
    machine = None
    if platform_facts.ran_here(evidence, run.folder):
        machine = environment.read(folder=run.folder, site=platform_facts.packages_of(evidence))
    case, conclusion = attribute(evidence, signatures, run)
    return explanation.explain(case, conclusion, platform_facts.of(evidence, machine))
