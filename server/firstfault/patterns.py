"""The regexes of signatures on a text: by `regex`, which can be stopped, else by the standard library, which cannot."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

try:
    import regex
except ImportError:  # no wheel for this interpreter: the same answers, without a time limit
    regex = None  # type: ignore[assignment]

if TYPE_CHECKING:
    Match = regex.Match[str] | re.Match[str]

TIMEOUT = 2.0  # seconds for one regex on one text; a bad pattern of a user must not hang the server
MISSING = (
    None
    if regex
    else "The package regex has no build for this Python: patterns of your own signatures run without a time limit."
)


@functools.cache
def compiled(pattern: str) -> regex.Pattern[str] | re.Pattern[str]:
    """Compile a signature's regex once; compiling all at start would cost more than most diagnoses."""
    return regex.compile(pattern) if regex else re.compile(pattern)


def search(pattern: str, text: str) -> Match | None:
    """Return the first place where a pattern matches; raise `TimeoutError` when it takes too long."""
    ready = compiled(pattern)
    return ready.search(text) if isinstance(ready, re.Pattern) else ready.search(text, timeout=TIMEOUT)
