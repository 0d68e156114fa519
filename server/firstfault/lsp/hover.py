"""A marked line, or a line of a diagnosed log -> the Markdown that the editor shows over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

from firstfault.diagnosis import Diagnosis, EvidenceItem
from firstfault.lsp.marks import headline
from firstfault.lsp.runs import Runs

MOST = 3  # places of an interleaved log that are told about one line
ROLES = {"initiating": "What started it", "collateral": "A consequence", "context": "A clue"}


def at(runs: Runs, path: Path, line: int) -> types.Hover | None:
    """Return what there is to say about a line, counted from 0."""
    texts = dict.fromkeys([*_code(runs, path, line), *_log(runs, path, line)])
    if not texts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(texts)))


def _code(runs: Runs, path: Path, line: int) -> Iterator[str]:
    here = [(run, mark) for run, mark in runs.marks(path) if mark.line == line and not mark.in_log]
    for run, mark in here:
        if mark.role == "initiating":
            yield answer(run.diagnosis)
        elif not any(r is run and m.role == "initiating" for r, m in here):
            yield f"{mark.message}\n\n{run.diagnosis.summary}"


def _log(runs: Runs, path: Path, line: int) -> Iterator[str]:
    """Tell what was read in a line of a log, the closest excerpts first."""
    items = [(run, item) for run in runs for item in run.diagnosis.evidence if item.path is not None]
    here = [(r, i) for r, i in items if i.line <= line + 1 <= i.end_line and Path(i.path or "") == path]
    for run, item in sorted(here, key=lambda pair: pair[1].end_line - pair[1].line)[:MOST]:
        yield _read(run.diagnosis, item)


def _read(diagnosis: Diagnosis, item: EvidenceItem) -> str:
    who = "" if item.rank is None else f", rank {item.rank}"
    cause = f" – `{item.cause_id}`" if item.cause_id else ""
    quote = headline(item)
    parts = [f"**{ROLES[item.role]}**{who}{cause}", _fenced(quote, "text") if quote else "", diagnosis.summary]
    return "\n\n".join(filter(None, parts))


def answer(diagnosis: Diagnosis) -> str:
    """Return the answer in short: the sentence, the steps that mend it, the proof."""
    return "\n\n".join(filter(None, [f"**{diagnosis.summary}**", *_fix(diagnosis), *_verify(diagnosis)]))


def _fix(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.fix:
        yield diagnosis.fix.summary
        yield _numbered(diagnosis.fix.steps)
    elif diagnosis.missing_facts:
        yield "What would settle it:"
        yield _numbered(f"{missing.fact}: `{missing.command}`" for missing in diagnosis.missing_facts)


def _numbered(steps: Iterable[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _verify(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.verify:
        yield "Prove it with:"
        yield _fenced(diagnosis.verify.command, "sh")
        yield diagnosis.verify.expect


def _fenced(text: str, language: str) -> str:
    fence = "```" if "```" not in text else "~~~~"
    return f"{fence}{language}\n{text}\n{fence}"
