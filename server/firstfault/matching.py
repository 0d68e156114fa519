"""Texts against signatures: which failures a text shows, and which of them owns it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from firstfault import patterns
from firstfault.catalogue import Catalogue, Trigger
from firstfault.model import Finding
from firstfault.signature import Pattern, Signature


@dataclass(frozen=True, slots=True)
class Found:
    """One signature's pattern in one text."""

    signature: Signature
    pattern: Pattern
    captures: Mapping[str, str]
    signal: int | None = None

    def finding(self) -> Finding:
        """Return the serialisable half."""
        pattern = self.pattern
        return Finding(self.signature.id, pattern.role, pattern.about, dict(self.captures), self.signal)


def search(pattern: Pattern, text: str) -> Mapping[str, str] | None:
    """Return the captures of a pattern in a text, or None; raise `TimeoutError` when it takes too long."""
    hit = patterns.search(pattern.regex, text)
    return {k: v for k, v in hit.groupdict().items() if v is not None} if hit else None


def start(found: Found, text: str) -> int:
    """Return where in the text a pattern that matched begins."""
    hit = patterns.search(found.pattern.regex, text)
    return hit.start() if hit else 0


def match_text(text: str, catalogue: Catalogue) -> list[Found]:
    """Return every pattern of the catalogue that the text (a message without its launcher's prefix) shows."""
    return confirm(text, (t for t in catalogue.triggers if any(literal in text for literal in t.literals)))


def confirm(text: str, triggers: Iterable[Trigger], slow: set[Trigger] | None = None) -> list[Found]:
    """Return those of the triggers whose regex really matches the text.

    A trigger whose regex takes too long is skipped, and added to `slow`, which keeps it from being tried again.
    """
    found = []
    for trigger in triggers:
        if slow is not None and trigger in slow:
            continue
        try:
            captures = search(trigger.pattern, text)
        except TimeoutError:
            captures = None
            if slow is not None:
                slow.add(trigger)
        if captures is not None:
            found.append(Found(trigger.signature, trigger.pattern, captures, trigger.signal))
    return found


def best(found: Iterable[Found]) -> Found | None:
    """Return the one that owns a text: not refined by another, not generic beside a specific one, not mere context.

    Ties go to the longer pattern, which says more about the text.
    """
    candidates = list(found)
    present = {f.signature.id for f in candidates}
    beaten = {identifier for f in candidates for identifier in f.signature.refines if identifier in present}
    if any(not f.signature.generic and f.pattern.role != "context" for f in candidates):
        beaten |= {f.signature.id for f in candidates if f.signature.generic}
    standing = [f for f in candidates if f.signature.id not in beaten]
    return max(standing, key=lambda f: (f.pattern.role != "context", len(f.pattern.regex)), default=None)
