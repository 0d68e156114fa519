"""Texts -> Evidence: the heavy half of a diagnosis, which can run where the logs are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from firstfault import formats, patterns, prefilter, reading, scanning
from firstfault.catalogue import Catalogue, builtin
from firstfault.formats import Format
from firstfault.model import Evidence, Source
from firstfault.shapes import Shapes
from firstfault.source_reader import SourceReader

NUMBERED = ("rank", "local_rank", "attempt")


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on: `advance` gets bytes read, `look` the evidence so far, both after each block; `stop` is polled."""

    advance: Callable[[int], None] = lambda _bytes: None
    stop: Callable[[], bool] = lambda: False
    look: Callable[[Evidence], None] = lambda _evidence: None


def extract(
    texts: Sequence[reading.Opened],
    catalogue: Catalogue,
    watch: Watch | None = None,
    *,
    fast: bool = True,
    threads: int | None = None,
) -> Evidence:
    """Read the texts and return what they show; raise `Cancelled` when the watch says so."""
    shapes, watch = Shapes.of(catalogue, fast=fast), watch or Watch()
    return extract_by(texts, shapes, watch, scanning.cores() if threads is None else threads)


def extract_by(texts: Sequence[reading.Opened], shapes: Shapes, watch: Watch, threads: int) -> Evidence:
    """Read the texts with what was compiled before."""
    evidence, done = Evidence(), 0
    for index, text in enumerate(texts):
        source = source_of(index, text, shapes.formats)
        evidence.sources.append(source)

        def advance(read: int) -> None:
            nonlocal done
            done += read
            watch.advance(read)
            watch.look(evidence)

        SourceReader(source, evidence, shapes, watch.stop).read(text, advance, threads)
    evidence.notes += _limits(shapes, done)
    evidence.tracebacks.sort(key=lambda t: (t.place.source, t.place.line))
    return evidence


def _limits(shapes: Shapes, read_bytes: int) -> Iterator[str]:
    """Yield what was skipped, or ran on a fallback that could be noticed."""
    if prefilter.MISSING and read_bytes >= prefilter.NOTICEABLE:
        yield prefilter.MISSING
    if patterns.MISSING and _own(shapes):
        yield patterns.MISSING
    for name in sorted({trigger.signature.id for trigger in shapes.slow}):
        yield f"{name}: a pattern of this signature took too long on one text and was skipped"


def _own(shapes: Shapes) -> bool:
    """Tell whether the user has signatures of their own."""
    known = builtin()
    return any(trigger.signature.id not in known for triggers in shapes.triggers.values() for trigger in triggers)


def source_of(index: int, text: reading.Opened, loaded: Sequence[Format]) -> Source:
    """Describe a text by what its path says: a rank, a local rank, an attempt, a node."""
    source = Source(index, str(text.path) if text.path else text.url, text.name)
    for form in loaded:
        for regex in form.paths:
            if hit := formats.compiled(regex).search(text.name):
                groups = hit.groupdict()
                rank, local, attempt = (int(v) if (v := groups.get(k)) else None for k in NUMBERED)
                return replace(
                    source, rank=rank, local_rank=local, attempt=attempt, node=groups.get("node"), format=form.name
                )
    return source
