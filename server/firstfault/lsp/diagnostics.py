"""Marks -> the diagnostics that the editor shows, each linked to the others of its run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from firstfault.lsp.runs import Mark, Run

SOURCE = "firstfault"
LINKS = 20  # more related places of one diagnostic than anybody follows


def of_file(
    marks: Iterable[tuple[Run, Mark]], uri_of: Callable[[Path], str], codec: PositionCodec
) -> list[types.Diagnostic]:
    """Return a file's diagnostics in the order of its lines; what two diagnoses say alike is said once."""
    said = {(mark.line, mark.role, mark.message): (run, mark) for run, mark in marks}
    ordered = sorted(said.values(), key=lambda pair: (pair[1].line, pair[1].role != "initiating"))
    return [diagnostic(run, mark, uri_of, codec) for run, mark in ordered]


def diagnostic(run: Run, mark: Mark, uri_of: Callable[[Path], str], codec: PositionCodec) -> types.Diagnostic:
    """Return the diagnostic of a mark."""
    answer = run.diagnosis
    cause = answer.cause
    return types.Diagnostic(
        range=range_of(mark, codec),
        message=mark.message,
        severity=severity(run, mark),
        code=cause.id if cause else answer.verdict,
        code_description=types.CodeDescription(answer.references[0]) if answer.references else None,
        source=SOURCE,
        related_information=[_link(m, uri_of, codec) for m in related(run, mark)] or None,
        data=_data(run, mark),
    )


def severity(run: Run, mark: Mark) -> types.DiagnosticSeverity:
    """Return Error for the place that started it, and less where no place or no rank is proven to have."""
    if mark.role != "initiating":
        return types.DiagnosticSeverity.Information
    proven = run.diagnosis.verdict == "failure" and run.diagnosis.initiating_ranks != ()
    return types.DiagnosticSeverity.Error if proven else types.DiagnosticSeverity.Warning


def related(run: Run, mark: Mark) -> list[Mark]:
    """Return the places to go to from a mark: consequences and log from the start, the start from all others."""
    others = [m for m in run.marks if m != mark]
    if mark.role == "initiating" and not mark.in_log:
        return others[:LINKS]
    return [m for m in others if m.role == "initiating"][:LINKS]


def range_of(mark: Mark, codec: PositionCodec) -> types.Range:
    """Return a marked line without the blanks around it."""
    text = mark.text or ""
    start, end = len(text) - len(text.lstrip()), len(text)
    if mark.in_log:
        return _line(mark.line, 0, mark.width)
    return _line(mark.line, codec.client_num_units(text[:start]), codec.client_num_units(text[:end]))


def _line(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


def _link(mark: Mark, uri_of: Callable[[Path], str], codec: PositionCodec) -> types.DiagnosticRelatedInformation:
    words = "it started here" if mark.role == "initiating" else mark.message
    message = f"{mark.path.name}, line {mark.line + 1}: {words}" if mark.in_log else words
    return types.DiagnosticRelatedInformation(types.Location(uri_of(mark.path), range_of(mark, codec)), message)


def _data(run: Run, mark: Mark) -> dict[str, object]:
    """Return what the editor's own actions need to know."""
    answer = run.diagnosis
    return {
        "id": run.id,
        "role": mark.role,
        "causeId": answer.cause.id if answer.cause else None,
        "codeFixes": [fix.id for fix in answer.fix.code_fixes] if answer.fix else [],
        "verify": answer.verify.command if answer.verify else None,
        "verdict": answer.verdict,
    }
