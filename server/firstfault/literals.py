"""The texts that a regular expression requires, so that a fast search can find the places worth reading."""

from __future__ import annotations

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    from re import _parser as sre_parse  # type: ignore[attr-defined]
else:  # the same module under its older name
    import sre_parse

MIN_LENGTH = 4
MOST = 64  # alternatives


def required_literals(regex: str) -> tuple[str, ...]:
    """Return texts of which every match of `regex` contains at least one; empty when none can be derived.

    Raises `re.error` when the regex does not compile. Only case-sensitive literals count.
    """
    parsed = sre_parse.parse(regex)
    if parsed.state.flags & re.IGNORECASE:
        return ()
    return _best(parsed)


def _best(items: Any) -> tuple[str, ...]:
    """Choose among all runs of a sequence the set whose shortest member is longest."""
    candidates: list[tuple[str, ...]] = []
    run = ""
    for at, (op, argument) in enumerate(items):
        name = str(op)
        if name == "LITERAL":
            run += chr(argument)
            continue
        if run:
            # the parser takes what alternatives begin with alike out of them: put it back
            candidates += [(run,), _beginnings(list(items)[at - len(run) :])]
            run = ""
        candidates.extend(_inside(name, argument))
    if run:
        candidates.append((run,))
    usable = [c for c in candidates if c and min(map(len, c)) >= MIN_LENGTH]
    return max(usable, key=lambda c: min(map(len, c)), default=())


def _beginnings(items: Any) -> tuple[str, ...]:
    """Return the texts with which a sequence can begin, as far as literals and alternatives tell; empty: any."""
    run = ""
    for op, argument in items:
        if str(op) == "LITERAL":
            run += chr(argument)
        elif str(op) == "BRANCH":
            branches = [_beginnings(branch) for branch in argument[1]]
            ends = [text for branch in branches for text in branch]
            return tuple(run + end for end in ends) if all(branches) and len(ends) <= MOST else (run,) if run else ()
        elif str(op) == "SUBPATTERN" and (inner := _beginnings(argument[-1])):
            return tuple(run + text for text in inner)
        else:
            break
    return (run,) if run else ()


def _inside(name: str, argument: Any) -> list[tuple[str, ...]]:
    """Look into a group, a repeat that must occur, or an alternation all of whose branches have a literal."""
    if name == "SUBPATTERN":
        return [_best(argument[-1])]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
        return [_best(argument[2])]
    if name == "ATOMIC_GROUP":
        return [_best(argument)]
    if name == "BRANCH":
        branches = [_best(branch) for branch in argument[1]]
        if all(branches):
            return [tuple(text for branch in branches for text in branch)]
    return []
