"""A diagnosis and the evidence that it rests on -> the lines to mark, in the code and in the logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from firstfault.diagnosis import Diagnosis, EvidenceItem, Location
from firstfault.lsp.frames import Files, locate
from firstfault.lsp.runs import Mark
from firstfault.model import Evidence, Frame, Traceback
from firstfault.parsing.tracebacks import is_user_code

MOST_FILES = 20  # a program's own files that are looked through for the cause
IMPORT = re.compile(r"^\s*(?:from|import)\s+([\w.]+)")


def of(diagnosis: Diagnosis, evidence: Evidence, files: Files) -> list[Mark]:
    """Return all marks of a diagnosis; none when nothing failed."""
    if diagnosis.verdict == "no_failure":
        return []
    marks = [*_initiating(diagnosis, evidence, files), *_collateral(diagnosis, evidence, files), *_log(diagnosis)]
    return list(dict.fromkeys(marks))


def _initiating(diagnosis: Diagnosis, evidence: Evidence, files: Files) -> Iterator[Mark]:
    frame = _printed(diagnosis.location, evidence) if diagnosis.location else None
    spot = locate(frame, files) if frame else None
    if spot:
        yield Mark(spot.path, spot.line, "initiating", diagnosis.summary, spot.text)


def sources(diagnosis: Diagnosis, evidence: Evidence, files: Files, marked: list[Mark]) -> tuple[Path, ...]:
    """Return other files of the failed program: those of its traceback, and what these import from beside them."""
    start = next((mark.path for mark in marked if mark.role == "initiating" and not mark.in_log), None)
    if start is None or diagnosis.fix is None or not diagnosis.fix.code_fixes:
        return ()
    decisive = {(item.path, item.line) for item in diagnosis.evidence if item.role != "context"}
    frames = [
        frame
        for traceback in evidence.tracebacks
        if (evidence.sources[traceback.place.source].path, traceback.place.line) in decisive
        for raised in traceback.chain
        for frame in raised.frames
        if is_user_code(frame.path)
    ]
    spots = [spot.path for frame in frames[-MOST_FILES:] if (spot := locate(frame, files))]
    known = list(dict.fromkeys([start, *spots]))
    for path in known[:MOST_FILES]:
        known += [p for p in _imported(path, files) if p not in known]
    return tuple(known[1 : MOST_FILES + 1])


def _imported(path: Path, files: Files) -> Iterator[Path]:
    """Yield the files beside a file that it imports."""
    for line in files.lines(path):
        for name in IMPORT.findall(line):
            beside = path.parent.joinpath(*name.strip(".").split(".")).with_suffix(".py")
            if beside.is_file():
                yield beside


def _printed(location: Location, evidence: Evidence) -> Frame | None:
    """Return the frame of a location with the source line that its traceback printed."""
    frames = (f for traceback in evidence.tracebacks for raised in traceback.chain for f in raised.frames)
    at = (location.path, location.line, location.function)
    return next((f for f in frames if f.code and (f.path, f.line, f.function) == at), None)


def _collateral(diagnosis: Diagnosis, evidence: Evidence, files: Files) -> Iterator[Mark]:
    """Mark where other ranks stood when they fell over."""
    places = {evidence.sources[t.place.source].at(t.place.line): t for t in evidence.tracebacks}
    for item in diagnosis.evidence:
        traceback = places.get((item.path, item.line))
        frame = _own_frame(traceback) if traceback and item.role == "collateral" else None
        spot = locate(frame, files) if frame else None
        if spot:
            yield Mark(spot.path, spot.line, "collateral", _consequence(item), spot.text)


def _own_frame(traceback: Traceback) -> Frame | None:
    """Return the deepest frame of the user's own code."""
    for raised in reversed(traceback.chain):
        own = [frame for frame in raised.frames if is_user_code(frame.path)]
        if own:
            return own[-1]
    return None


def _consequence(item: EvidenceItem) -> str:
    who = "A process" if item.rank is None else f"Rank {item.rank}"
    return f"{who} failed here as a consequence: {headline(item)}"


def headline(item: EvidenceItem) -> str:
    """Return an excerpt's telling line: the exception for a traceback, else its first line."""
    lines = [line for line in item.text.splitlines() if line.strip()]
    if not lines:
        return ""
    telling = [line for line in lines if not line.startswith((" ", "\t"))]
    return (telling[-1] if "Traceback" in lines[0] and telling else lines[0]).strip()[:300]


def _log(diagnosis: Diagnosis) -> Iterator[Mark]:
    """Mark what was read in log files, where it begins."""
    for item in diagnosis.evidence:
        if item.path is None or item.role == "context":
            continue
        message = diagnosis.summary if item.role == "initiating" else _consequence(item)
        width = len((item.text.splitlines() or [""])[0])
        yield Mark(Path(item.path), item.line - 1, item.role, message, width=width)
