"""A Diagnosis with its evidence -> the Markdown document of an editor, with links into logs and code."""

from __future__ import annotations

import difflib
import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firstfault import report
from firstfault.diagnosis import Diagnosis, EvidenceItem
from firstfault.model import Evidence, Traceback
from firstfault.wording import listing

MOST_GROUPS = 8  # different errors of other ranks that are shown
MOST_LINES = 400  # of one traceback
PLACE = re.compile(r"(?P<name>[^\s:]+):(?P<line>\d+)(?=: )")
SEPARATOR = re.compile(r"[/\\]")
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
Link = Callable[[str, int], str | None]


@dataclass(frozen=True, slots=True)
class Change:
    """What a fix makes of a file: what it is called, the file's name, its text before and after."""

    title: str
    name: str
    before: str
    after: str


def write(
    diagnosis: Diagnosis,
    evidence: Evidence,
    link: Link = lambda _path, _line: None,
    spot: tuple[Path, int] | None = None,
    change: Change | None = None,
) -> str:
    """Return the whole answer: the sentence first, the real error last and whole.

    `link` gives the address of a line of a file, None where it has none. `spot` is where the failing line stands on
    this machine, `change` the preferred fix's edit.
    """
    blocks = [f"# {report.inline(diagnosis.summary)}", *_place(diagnosis, link, spot)]
    for title, lines in report.sections(diagnosis):
        if title == report.ERROR:
            blocks += _others(diagnosis, evidence, link)
            blocks += [f"## {title}", *_error(diagnosis, evidence, link)]
            continue
        blocks += [f"## {title}", "\n".join(_linked(line, evidence, link) for line in report.bullets(title, lines))]
        if title == report.FIX and change:
            blocks += _before_and_after(change)
    return "\n\n".join(blocks) + "\n"


def _place(diagnosis: Diagnosis, link: Link, spot: tuple[Path, int] | None) -> Iterator[str]:
    """Yield where it broke in the user's code."""
    place = diagnosis.location
    if not place:
        return
    where = f"{SEPARATOR.split(place.path)[-1]}, line {spot[1] if spot else place.line}"
    address = link(str(spot[0]), spot[1]) if spot else None
    shown = f"[{report.inline(where)}]({address})" if address else report.inline(where)
    yield f"In {shown}, function `{place.function}`." if place.function.isidentifier() else f"In {shown}."


def _linked(line: str, evidence: Evidence, link: Link) -> str:
    """Turn the place at the head of a step of the reasoning into a link."""
    sources = {source.name: source.path for source in evidence.sources if source.path}

    def put(match: re.Match[str]) -> str:
        path = sources.get(match["name"])
        address = link(path, int(match["line"])) if path else None
        return f"[{match.group()}]({address})" if address else match.group()

    return PLACE.sub(put, line, count=1)


def _before_and_after(change: Change) -> Iterator[str]:
    """Yield a fix's edit as a diff."""
    old, new = change.before.splitlines(), change.after.splitlines()
    diff = difflib.unified_diff(old, new, f"{change.name} (before)", f"{change.name} (after)", lineterm="")
    yield f"{report.inline(change.title)}:"
    yield report.fenced("\n".join(diff), "diff")


def _error(diagnosis: Diagnosis, evidence: Evidence, link: Link) -> Iterator[str]:
    """Yield the decisive error, whole where it is a traceback."""
    item = report.decisive(diagnosis)[-1]
    whole = next((t for t in evidence.tracebacks if _is(t, item, evidence)), None)
    lines = list(whole.text) if whole else item.text.splitlines()
    yield _source(item.path, item.line, item.end_line, listing([item.rank]) if item.rank is not None else "", link)
    yield report.fenced("\n".join(lines[-MOST_LINES:]), "text")


def _is(traceback: Traceback, item: EvidenceItem, evidence: Evidence) -> bool:
    place = traceback.place
    return (evidence.sources[place.source].path, place.line) == (item.path, item.line)


def _others(diagnosis: Diagnosis, evidence: Evidence, link: Link) -> Iterator[str]:
    """Yield what other processes printed; tracebacks that differ in numbers only are shown once."""
    shown = report.decisive(diagnosis)
    groups: dict[str, list[Traceback]] = defaultdict(list)
    for traceback in evidence.tracebacks:
        if not any(_is(traceback, item, evidence) for item in shown):
            groups[NUMBER.sub("#", "\n".join(traceback.text))].append(traceback)
    if not groups:
        return
    yield "## What else was printed"
    for alike in list(groups.values())[:MOST_GROUPS]:
        yield _group(alike, evidence, link)
    if len(groups) > MOST_GROUPS:
        yield f"{len(groups) - MOST_GROUPS} more kinds of tracebacks are in the log."


def _group(alike: list[Traceback], evidence: Evidence, link: Link) -> str:
    first = alike[0]
    source = evidence.sources[first.place.source]
    ranks = _ranks(alike, evidence)
    times = f" ({len(alike)} alike)" if len(alike) > 1 else ""
    headline = html.escape(f"{first.cause.text.splitlines()[0][:120]}{times}")
    text = report.fenced("\n".join(first.text[-MOST_LINES:]), "text")
    place = _source(source.path, first.place.line, first.place.end_line, listing(ranks) if ranks else "", link)
    return f"<details><summary>{headline}</summary>\n\n{place}\n\n{text}\n\n</details>"


def _ranks(tracebacks: Iterable[Traceback], evidence: Evidence) -> list[int]:
    own = [(t.place.speaker.rank, evidence.sources[t.place.source].rank) for t in tracebacks]
    return [rank for said, named in own for rank in [named if said is None else said] if rank is not None]


def _source(path: str | None, line: int, end_line: int, who: str, link: Link) -> str:
    """Return where a text was printed, as a link where that is a file."""
    name = f"{Path(path).name if path else 'the text'}, lines {line}-{end_line}"
    address = link(path, line) if path else None
    place = f"[{report.inline(name)}]({address})" if address else report.inline(name)
    return f"{place}, {who}:" if who else f"{place}:"
