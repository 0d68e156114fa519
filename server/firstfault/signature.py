"""The shape of a signature file: what `signatures/<area>/<slug>.toml` may say.

The frozen dataclasses are the schema; `catalogue` reads the files into them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["initiator", "collateral", "either", "context"]
Provenance = Literal["run", "source", "report", "memory"]
Scope = Literal["rank", "job", "network"]
About = Literal["wait", "lost", "absent"]
Fact = Literal["system", "python", "torch", "open-files", "shared-memory", "disk", "memory-limit", "gpus"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One regular expression and what its text says about the rank that printed it.

    `about` refines a collateral (or `either`) text: `wait` this rank waited for another one and gave up, `lost` its
    connection to another one broke, `absent` another one never came.
    """

    regex: str
    role: Role
    about: About | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """A further text that `confirm` looks for in this log, expected to be there or not."""

    regex: str
    expected: Literal["present", "absent"]
    because: str


@dataclass(frozen=True, slots=True)
class Match:
    """A real text that must match, with the captures that it must give."""

    log: str
    captures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ignore:
    """The nearest innocent text, which must not match, and why it is innocent."""

    log: str
    because: str


@dataclass(frozen=True, slots=True)
class Verify:
    """The command that tells fixed from broken, and what it prints in both states."""

    command: str
    expect_broken: str
    expect_fixed: str


@dataclass(frozen=True, slots=True)
class Code:
    """The user's code before and after the fix."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Signature:
    """One failure. A cause that is concluded and never printed has no patterns.

    `scope`: `rank` a rank broke the run; `job` no rank did (launcher, scheduler); `network` no rank did when every
    rank runs into it. `shared`: every rank hits it alike (same file, same code, same settings).
    `depends_on`: what of the machine that ran the job decides the fix.
    `generic`: yields to any other signature on the same failure. `refines`: ids of the signatures that this one beats.
    """

    title: str
    provenance: Provenance
    meaning: str
    fix: tuple[str, ...]
    references: tuple[str, ...]
    scope: Scope = "rank"
    shared: bool = False
    generic: bool = False
    refines: tuple[str, ...] = ()
    depends_on: tuple[Fact, ...] = ()
    mechanism: str = ""
    observe: str = ""
    confirm: str = ""
    code_fixes: tuple[str, ...] = ()
    prevention: tuple[str, ...] = ()
    on_call: str = ""
    related: tuple[str, ...] = ()
    versions: str = ""
    search: tuple[str, ...] = ()
    fix_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    code: Code | None = None
    verify: Verify | None = None
    patterns: tuple[Pattern, ...] = ()
    signals: tuple[Signal, ...] = ()
    matches: tuple[Match, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    id: str = ""

    @property
    def area(self) -> str:
        """The first half of the id, e.g. `memory`."""
        return self.id.partition("/")[0]
