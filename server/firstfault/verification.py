"""What a verification command printed -> whether the failure is gone, and what it said, in one sentence.

A signature tells both states in words, with the telling output in backticks: "`1` or more" is broken, "`0`" is fixed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from firstfault.diagnosis import Verification

_FIXED, _BROKEN = "Fixed: ", " Still broken: "
_QUOTED = re.compile(r"`([^`]+)`")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOT_RUN = {126: "is not allowed to run", 127: "is not installed here"}
_STOPPED = {-2, 130, 137, 143}  # Ctrl-C, SIGKILL, SIGTERM: somebody ended it


@dataclass(frozen=True, slots=True)
class Outcome:
    """`resolved` is None when the output tells neither state."""

    resolved: bool | None
    said: str


def expectation(fixed: str, broken: str) -> str:
    """Return both states as one text, for people and for `outcome`."""
    return f"{_FIXED}{fixed}{_BROKEN}{broken}"


def outcome(verification: Verification, exit_code: int | None, output: str) -> Outcome:
    """Read what the command printed; a text that fits neither state decides nothing."""
    fixed, _, broken = verification.expect.removeprefix(_FIXED).partition(_BROKEN)
    lines = [line.strip() for line in _COLOUR.sub("", output).splitlines() if line.strip()]
    last = lines[-1][:200] if lines else ""
    if exit_code in _NOT_RUN and not _counted(lines):
        return Outcome(
            None, f"The command could not be run: something it needs {_NOT_RUN[exit_code]}. It printed: {last}"
        )
    if exit_code in _STOPPED:
        return Outcome(None, "The command was stopped before it was through.")
    if _tokens(fixed)[:1] == ["0"] and _tokens(broken)[:1] == ["1"]:
        return _by_count(_counted(lines), last)
    return _by_text(lines, exit_code, _tokens(fixed), _tokens(broken), fixed)


def _tokens(text: str) -> list[str]:
    """Return the outputs that a state names; a state of one word is its output."""
    found = _QUOTED.findall(text)
    return found or ([text.strip()] if text.strip() and " " not in text.strip() else [])


def _counted(lines: list[str]) -> str:
    """Return the number in the last line; empty when it is none."""
    return lines[-1] if lines and lines[-1].isdecimal() else ""


def _by_count(count: str, last: str) -> Outcome:
    if not count:
        return Outcome(
            None, f"The command gave no count. It printed: {last}" if last else "The command printed nothing."
        )
    if int(count) == 0:
        return Outcome(True, "The error is not there any more (counted 0 times).")
    return Outcome(False, f"The error is still there (counted {count} {'time' if count == '1' else 'times'}).")


def _by_text(lines: list[str], code: int | None, fixed: list[str], broken: list[str], wanted: str) -> Outcome:
    seen = next((line for line in lines for token in broken if token in line), "")
    good = next((line for line in lines for token in fixed if token in line), "")
    if seen and not (good and len(good) > len(seen)):
        return Outcome(False, f"Still broken: it printed `{seen[:200]}`.")
    if good:
        return Outcome(True, f"Fixed: it printed `{good[:200]}`.")
    last = lines[-1][:200] if lines else "nothing"
    if code:
        return Outcome(False, f"Still broken: it ended with exit code {code} and printed: {last}")
    if not fixed and code == 0:
        return Outcome(True, f"It ended without an error and printed: {last}")
    return Outcome(None, f"It printed: {last}. Fixed would be: {wanted.strip()}")
