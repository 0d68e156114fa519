"""What attribution works on: an account per rank, and the conclusion of a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Confidence, MissingFact
from firstfault.model import Evidence, Finding, Notice, Place, Sighting, Traceback
from firstfault.signature import About, Role, Signature

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one process said about its failure or about others.

    `rank` is None when nothing tells whose it is; `candidates` are then the ranks that it may be.
    `uncaught` is False for an exception that was logged and may have been handled.
    """

    place: Place
    text: str
    finding: Finding | None
    rank: int | None
    uncaught: bool = True
    traceback: Traceback | None = None
    candidates: tuple[int, ...] = ()
    attempt: int = 0

    @property
    def role(self) -> Role:
        """An uncaught exception that no signature knows is the speaker's own failure."""
        return self.finding.role if self.finding else "initiator"

    @property
    def about(self) -> About | None:
        """What a collateral statement is about."""
        return self.finding.about if self.finding else None

    @property
    def order(self) -> tuple[int, int]:
        """Where it stands; comparable within one source only."""
        return (self.place.source, self.place.line)


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended, by its launcher's word. `signal` is a name such as SIGKILL.

    `wordless`: it raised nothing, for sure.
    """

    place: Place
    code: int | None
    signal: str | None
    pid: int | None = None
    attempt: int = 0
    quote: str = ""
    wordless: bool = False


@dataclass(slots=True)
class Account:
    """All that is known of one rank. `closing`: its launcher ended it; `escalated`: it did not react to that."""

    rank: int
    local_rank: int | None = None
    node: str | None = None
    statements: list[Statement] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)
    closing: bool = False
    escalated: bool = False
    listed: bool = False

    @property
    def last(self) -> Sighting | None:
        """The last sign of life."""
        return self.sightings[-1] if self.sightings else None

    @property
    def end(self) -> Exit | None:
        """The most telling exit: a signal before a code, a code before zero."""
        return min(self.exits, key=lambda e: (e.signal is None, not e.code), default=None)

    def says(self, *abouts: About) -> list[Statement]:
        """Return the statements about one of these things."""
        return [s for s in self.statements if s.about in abouts]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the user knows about the run beside the text; `folder` is where it ran, when that is on this machine."""

    exit_code: int | None = None
    command: str | None = None
    folder: Path | None = None


@dataclass(slots=True)
class Case:
    """One attempt of one run, ready for the rules."""

    evidence: Evidence
    catalogue: Catalogue
    run: RunFacts
    accounts: dict[int, Account] = field(default_factory=dict)
    orphans: list[Statement] = field(default_factory=list)
    launcher_says: list[Statement] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    world: int | None = None
    launcher: str | None = None
    framework: str | None = None
    attempt: int | None = None
    attempts: int = 1
    notes: list[str] = field(default_factory=list)
    unnumbered: bool = False
    nodes: dict[str, list[int]] = field(default_factory=dict)
    several_nodes: bool = False

    def statements(self) -> Iterator[Statement]:
        """All statements of ranks, then those of nobody known."""
        for account in self.accounts.values():
            yield from account.statements
        yield from self.orphans

    def signature(self, statement: Statement) -> Signature | None:
        """Return the signature that a statement shows."""
        return self.catalogue.get(statement.finding.signature) if statement.finding else None

    def of(self, *kinds: str) -> list[Notice]:
        """Return the notices of these kinds."""
        return [n for n in self.notices if n.kind in kinds]

    def lost_workers(self) -> dict[int, Notice]:
        """Return the ranks whose process the launcher lost, with its words."""
        found = {}
        for notice in self.of("worker-lost"):
            rank = int(notice.fields["rank"]) if "rank" in notice.fields else notice.place.speaker.rank
            if rank is not None:
                found[rank] = notice
        return found

    @property
    def size(self) -> int | None:
        """The world size that the text tells, or that ranks without a gap imply."""
        told, ranks = self.world, self.ranks()
        if told is not None and (not ranks or ranks[-1] < told):
            return told
        return len(ranks) if ranks and ranks[-1] == len(ranks) - 1 else None

    def ranks(self) -> list[int]:
        """All ranks that the text shows or implies."""
        return sorted(self.accounts)

    def ref(self, place: Place) -> str:
        """Name a place for a person, e.g. `job.log:41`."""
        return f"{self.evidence.sources[place.source].name}:{place.line}"


@dataclass(slots=True)
class Conclusion:
    """What a rule settled. `ranks` None: who started it is open; `cause` None: what it was is open."""

    rule: str
    ranks: tuple[int, ...] | None
    cause: str | None
    confidence: Confidence
    reasons: list[str]
    decisive: list[Statement] = field(default_factory=list)
    missing: list[MissingFact] = field(default_factory=list)
    captures: dict[str, str] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)


Rule = Callable[[Case], Conclusion | None]


def own_failures(case: Case, *, uncaught: bool = True) -> list[Statement]:
    """Return the statements of ranks, and of nobody known, that tell of their speaker's own failure."""
    return [s for s in case.statements() if s.role == "initiator" and s.uncaught == uncaught]


def only_one(items: Iterable[T]) -> T | None:
    """Return the one value that all items have, or None."""
    found = list(items)
    return found[0] if found and all(item == found[0] for item in found) else None


def owner(case: Case, statements: Sequence[Statement]) -> Statement:
    """Return the statement that best names why one rank failed: specific before generic, then the earliest."""
    present = {s.finding.signature for s in statements if s.finding}
    refined = {r for i in present if i in case.catalogue for r in case.catalogue[i].refines}

    def weight(statement: Statement) -> tuple[int, tuple[int, int]]:
        signature = case.signature(statement)
        vague = 2 if signature is None else int(signature.generic or signature.id in refined)
        return vague, statement.order

    return min(statements, key=weight)
