"""A draft of a signature from one line of a log: what stays the same is kept, what changes becomes a group."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from firstfault import catalogue, formats, matching, pages, reading, schema
from firstfault.catalogue import Catalogue
from firstfault.errors import FirstfaultError
from firstfault.model import Source
from firstfault.parsing.tagging import Tagger

# what differs from run to run, by kind; the first kind that fits at a place is taken
CHANGES = re.compile(
    r"(?P<address>0x[0-9a-fA-F]+)"
    r"|(?P<peer>\[?\d{1,3}(?:\.\d{1,3}){3}\]?(?::\d+)?)"
    r"|(?P<quoted>(?<=')[^'\n]*[/.\d][^'\n]*(?=')|(?<=\")[^\"\n]*[/.\d][^\"\n]*(?=\"))"
    r"|(?P<path>(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][\w.@+-]+)+|(?<![\w.])[\w.@+-]+(?:/[\w.@+-]+)+)"
    r"|(?P<size>\d+(?:\.\d+)? ?(?:bytes|[KMGT]i?B)\b)"
    r"|(?P<hash>\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b)"
    r"|(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\d+(?:\.\d+)?)"
)
STAMP = re.compile(r"^(?:\[?\d[\d:,./TZ+ -]{7,}\]?\s*)+")  # the time that a logger puts in front
GROUPS = {
    "address": r"0x[0-9a-fA-F]+",
    "peer": r"\[?\d{1,3}(?:\.\d{1,3}){3}\]?(?::\d+)?",
    "quoted": r"""[^'"\n]+""",
    "path": r"[^\s:,;)]+",
    "size": r"\d+(?:\.\d+)? ?\w+",
    "hash": r"[0-9a-f]{8,}",
    "number": r"-?[\d.]+(?:e[-+]?\d+)?",
}
SHOWN = 160  # of a line, in its title


def line_of(place: str) -> str:
    """Return the text of `LOG:LINE` without the prefixes of launchers and loggers."""
    name, _, number = place.rpartition(":")
    if not name or not number.isdecimal() or int(number) < 1:
        raise FirstfaultError(f"{place}: name a file and one of its lines, as in run.log:120")
    texts, _ = reading.find([Path(name)])
    raw = _numbered(texts[0], int(number))
    if raw is None:
        raise FirstfaultError(f"{name}: there is no line {number}")
    text = [part for part in reading.decode(raw) if part.strip()][-1:]
    tagger = Tagger(Source(0, None, name), formats.load(), [])
    bare = [tagged.text for part in text for tagged in tagger.tag(part)][-1:]
    if not bare or not bare[0].strip():
        raise FirstfaultError(f"{place}: this line is empty; choose the one that says what went wrong")
    return bare[0].strip()


def _numbered(opened: reading.Opened, number: int) -> bytes | None:
    """Return one line of a text, read no further than that."""
    before = 0
    for chunk in reading.chunks(opened):
        block = reading.tidy(chunk)
        if number <= before + block.lines or chunk.last:
            lines = bytes(block.data[: block.size]).split(b"\n")
            if lines[-1] == b"":
                lines.pop()  # what follows the last newline
            return lines[number - before - 1] if number - before <= len(lines) else None
        before += block.lines
    return None


def regex_of(line: str) -> str:
    """Return a pattern for a line: its words kept, its numbers, paths and addresses groups of their own."""
    return "".join(_parts(STAMP.sub("", line)))


def _parts(line: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    at = 0
    for hit in CHANGES.finditer(line):
        kind = hit.lastgroup or "number"
        seen[kind] = seen.get(kind, 0) + 1
        name = kind if seen[kind] == 1 else f"{kind}{seen[kind]}"
        yield re.escape(line[at : hit.start()]).replace(r"\ ", " ")
        yield f"(?P<{name}>{GROUPS[kind]})"
        at = hit.end()
    yield re.escape(line[at:]).replace(r"\ ", " ")


def slug_of(line: str) -> str:
    """Return an id's second half: the first words of a line that do not change."""
    words = re.findall(r"[a-z]{2,}", CHANGES.sub(" ", line).lower())
    return "-".join(words[:5])


def draft(line: str, identifier: str, known: Catalogue) -> str:
    """Return the text of a signature file that matches the line; what only a person knows is marked TODO."""
    pattern = regex_of(line)
    hit = re.search(pattern, line)
    captures = {name: value for name, value in hit.groupdict().items() if value} if hit else {}
    owner = matching.best(matching.match_text(line, known))
    title = CHANGES.sub("…", STAMP.sub("", line)).strip()[:SHOWN]
    shown = ", ".join(f"{name} = {_string(value)}" for name, value in captures.items())
    return "\n".join(
        [
            f"#:schema {'../' * identifier.count('/')}{schema.FILE}",
            f"title = {_string(title)}",
            'provenance = "report"',
            *([f"refines = [{_string(owner.signature.id)}]   # which explains this line already"] if owner else []),
            'meaning = "TODO: what happened, for an engineer at 3 a.m."',
            'confirm = "TODO: how to make sure that it is this."',
            'fix = ["TODO: the exact steps."]',
            'on_call = "TODO: restart? Page someone? Is data lost?"',
            "references = []",
            "",
            "[[patterns]]",
            f"regex = {_literal(pattern)}",
            'role = "initiator"   # or collateral, either, context',
            "",
            "[[matches]]",
            f"log = {_string(line)}",
            *([f"captures = {{ {shown} }}"] if shown else []),
            "",
        ]
    )


def write(place: str, identifier: str | None, folder: Path, known: Catalogue) -> Path:
    """Write a draft and the schema below a folder of signatures; return the draft's path."""
    line = line_of(place)
    name = identifier or f"own/{slug_of(line)}"
    path = folder / f"{name}.toml"
    if path.exists():
        raise FirstfaultError(f"{path}: exists already; give the draft another name with --id AREA/SLUG")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(draft(line, name, known), encoding="utf-8")
    try:
        faults = [*pages.example_faults(catalogue.read_file(path, folder))]
    except FirstfaultError as error:
        faults = [str(error)]
    if faults:
        path.unlink()
        raise FirstfaultError(f"{place}: no pattern can be drafted from this line: {'; '.join(faults)}")
    (folder / schema.FILE).write_text(schema.text(), encoding="utf-8")
    return path


def _literal(pattern: str) -> str:
    """Write a regex as a TOML literal string, in which backslashes stay single, where its quotes allow it."""
    if "'" not in pattern:
        return f"'{pattern}'"
    return _string(pattern) if "'''" in pattern or pattern.endswith("'") else f"'''{pattern}'''"


def _string(text: str) -> str:
    """Write a TOML string; JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
