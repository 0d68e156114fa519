"""A Diagnosis as plain text for a terminal and as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from firstfault.diagnosis import Diagnosis, EvidenceItem, RankFate
from firstfault.wording import listing

WIDTH = 100
ALIKE = 140  # characters by which equal complaints of many ranks are told
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
STAMP = re.compile(r"^\[?[EWIF](?:\d{3,4})? [^\]]*\]\s*")
SPEAKER = re.compile(r"^\[(?:PG [^\]]*)?Rank \d+\]:?\s*")
FIX, MEANING, VERIFY = "Fix", "What it means", "Verify"
SETTLE, ERROR = "What would settle it", "The error itself"
WORDS = {
    "initiating": "broke the run",
    "collateral": "failed as a consequence",
    "stopped": "was ended by the launcher",
    "silent": "said nothing",
    "finished": "finished",
    "unknown": "is not settled",
}


def text(diagnosis: Diagnosis) -> str:
    """Return the answer for a terminal: the sentence first, the real error last and whole."""
    lines = [*_wrap(diagnosis.summary), ""]
    for title, body in _sections(diagnosis, wrap=True):
        lines += [title, *(f"  {line}" if line else "" for line in body), ""]
    return "\n".join(lines).rstrip() + "\n"


def markdown(diagnosis: Diagnosis) -> str:
    """Return the answer as Markdown."""
    lines = [f"# {inline(diagnosis.summary)}", ""]
    for title, body in sections(diagnosis):
        lines += [f"## {title}", "", *bullets(title, body), ""]
    return "\n".join(lines).rstrip() + "\n"


def sections(diagnosis: Diagnosis) -> Iterator[tuple[str, list[str]]]:
    """Yield the titles and lines of an answer in the order of reading, unwrapped."""
    yield from _sections(diagnosis, wrap=False)


def bullets(title: str, body: Sequence[str]) -> list[str]:
    """Return a section's lines as Markdown."""
    if title in (VERIFY, ERROR):
        return fenced("\n".join(body), "text").splitlines()
    if title == SETTLE:
        return [f"  {code(line.strip())}" if line.startswith("    ") else f"- {inline(line)}" for line in body]
    if title == MEANING:
        return [inline(line) for line in body]
    return [f"{number}. {inline(line)}" if title == FIX else f"- {inline(line)}" for number, line in enumerate(body, 1)]


def inline(text: str) -> str:
    """Return a text that Markdown shows as it is: words of a log can make no link and no HTML.

    What stands in backticks is shown as it is anyway.
    """
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if i % 2 else _escaped(part) for i, part in enumerate(parts))


def _escaped(text: str) -> str:
    text = re.sub(r"([\\<*`]|\](?=[(:\[]))", r"\\\1", text)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\_", text)


def code(text: str) -> str:
    """Return a text as inline code, whatever backticks it holds."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str, language: str) -> str:
    """Return a text as a block of code that it cannot end by itself."""
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def decisive(diagnosis: Diagnosis) -> list[EvidenceItem]:
    """Return the places that show what started it."""
    return [item for item in diagnosis.evidence if item.role == "initiating"]


def _sections(diagnosis: Diagnosis, *, wrap: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of an answer that have something to say, in the order of reading."""

    def flow(lines: Sequence[str], mark: str = "") -> list[str]:
        return [part for line in lines for part in _wrap(line, mark)] if wrap else list(lines)

    if diagnosis.ranks and len(diagnosis.ranks) > 1:
        yield "Ranks", flow(ranks(diagnosis.ranks), "- ")
    yield "Why", flow(diagnosis.reasoning, "- ")
    if diagnosis.cause:
        yield "Cause", flow([f"{diagnosis.cause.title} [{diagnosis.cause.id}], {diagnosis.cause.confidence}"])
    if diagnosis.fix:
        yield MEANING, flow([diagnosis.fix.summary])
        yield FIX, flow([*diagnosis.fix.steps, *code_fixes(diagnosis)], "- ")
    if diagnosis.verify:
        yield VERIFY, [*diagnosis.verify.command.splitlines(), *flow([diagnosis.verify.expect])]
    if diagnosis.missing_facts:
        yield (
            SETTLE,
            [p for m in diagnosis.missing_facts for p in [*flow([m.fact], "- "), f"    {m.command}"]],
        )
    if diagnosis.prevention:
        yield "Prevent it", flow(diagnosis.prevention, "- ")
    if diagnosis.references:
        yield "See", list(diagnosis.references)
    if diagnosis.notes:
        yield "Notes", flow(diagnosis.notes, "- ")
    shown = decisive(diagnosis)
    if shown:
        yield ERROR, _excerpt(shown[-1])


def code_fixes(diagnosis: Diagnosis) -> list[str]:
    """Return how to have the edits made, one line each."""
    fix, place = diagnosis.fix, diagnosis.location
    target = f"{place.path}:{place.line}" if place else "FILE"
    return [f"{f.title}: firstfault fix {f.id} {target} --diff" for f in (fix.code_fixes if fix else ())]


def ranks(fates: Sequence[RankFate]) -> list[str]:
    """Return one line per group of ranks that share a fate and words."""
    groups: dict[tuple[str, str], list[RankFate]] = defaultdict(list)
    for fate in fates:
        said = _plain(fate.said) if fate.fate in ("initiating", "collateral") else ""
        groups[(fate.fate, NUMBER.sub("#", said.partition(". ")[0])[:ALIKE])].append(fate)
    lines = []
    for (kind, _), members in sorted(groups.items(), key=lambda item: item[0][0] == "initiating"):
        words = f"{listing(m.rank for m in members)} {_verb(kind, len(members))}"
        said = _plain(members[0].said) if kind in ("initiating", "collateral") else ""
        lines.append(f"{words}: {said if len(members) == 1 else said.partition('. ')[0][:ALIKE]}" if said else words)
    return lines


def _verb(fate: str, count: int) -> str:
    words = WORDS[fate]
    return words.replace("was ", "were ", 1).replace("is ", "are ", 1) if count > 1 else words


def _plain(said: str) -> str:
    """Drop a log line's stamp and its speaker, who is named already."""
    return SPEAKER.sub("", STAMP.sub("", said))


def _excerpt(item: EvidenceItem) -> list[str]:
    name = Path(item.path).name if item.path else "text"
    whose = f", rank {item.rank}" if item.rank is not None else ""
    return [f"{name}:{item.line}-{item.end_line}{whose}", *item.text.splitlines()]


def _wrap(line: str, mark: str = "") -> list[str]:
    return textwrap.wrap(
        line, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False
    ) or [""]
