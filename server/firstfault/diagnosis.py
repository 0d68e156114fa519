"""The answer: what `diagnose` returns, field for field the JSON of the contract (schema version 1)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

SCHEMA_VERSION = 1

Verdict = Literal["failure", "undecided", "no_failure"]
Confidence = Literal["certain", "likely", "possible"]
Fate = Literal["initiating", "collateral", "stopped", "silent", "finished", "unknown"]
EvidenceRole = Literal["initiating", "collateral", "context"]
Safety = Literal["safe", "needs-a-look"]


@dataclass(frozen=True, slots=True)
class Cause:
    """What it was. `confidence` speaks of this, not of the rank."""

    id: str
    title: str
    area: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class RankFate:
    """What became of one rank; `accuses` are the ranks that its words point at."""

    rank: int
    local_rank: int | None = None
    node: str | None = None
    fate: Fate = "unknown"
    exit_code: int | None = None
    signal: str | None = None
    said: str = ""
    last_seen: str | None = None
    accuses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A place in the text; lines count from 1."""

    path: str | None
    line: int
    end_line: int
    rank: int | None
    host: str | None
    time: str | None
    role: EvidenceRole
    cause_id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Location:
    """The deepest frame of the user's own code, as the log names it."""

    path: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class CodeFix:
    """An edit that the editor can make."""

    id: str
    title: str
    safety: Safety


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do; `code_fix` is the preferred of `code_fixes`."""

    summary: str
    steps: tuple[str, ...]
    code_fix: str | None
    code_fixes: tuple[CodeFix, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The command that proves the fix and what it prints then."""

    command: str
    expect: str


@dataclass(frozen=True, slots=True)
class MissingFact:
    """What would settle an open question, and the command that gets it."""

    fact: str
    command: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The whole answer. `None` is 'not settled'; an empty list of ranks is 'settled: no rank started it'."""

    verdict: Verdict
    summary: str
    cause: Cause | None = None
    initiating_ranks: tuple[int, ...] | None = None
    collateral_ranks: tuple[int, ...] = ()
    world_size: int | None = None
    attempt: int | None = None
    launcher: str | None = None
    framework: str | None = None
    ranks: tuple[RankFate, ...] = ()
    reasoning: tuple[str, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    location: Location | None = None
    fix: Fix | None = None
    verify: Verification | None = None
    missing_facts: tuple[MissingFact, ...] = ()
    prevention: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON object: every key present."""
        return {"schema_version": SCHEMA_VERSION, **asdict(self)}
