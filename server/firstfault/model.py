"""The types that flow from reading to attribution. Nothing here knows a launcher, a library or a file format.

Everything in `Evidence` is small and serialisable, so that the heavy half of a diagnosis can run where the logs are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firstfault.signature import About, Role


@dataclass(frozen=True, slots=True)
class Source:
    """One text that was read. `path` is None for standard input or a selection; `name` is what a person calls it.

    `rank`, `local_rank`, `attempt` and `node` are what the path itself says about the text inside. `parts`: the files
    of a rotated log, each with the number that its first line has in the whole.
    """

    index: int
    path: str | None
    name: str
    rank: int | None = None
    local_rank: int | None = None
    attempt: int | None = None
    node: str | None = None
    format: str | None = None
    parts: tuple[tuple[int, str], ...] = ()

    def at(self, line: int) -> tuple[str | None, int]:
        """Return the file that holds a line of the source, and the line's number there."""
        first, path = max(((f, p) for f, p in self.parts if f <= line), default=(1, self.path))
        return path, line - first + 1


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who printed a line, as far as prefixes and file names tell. `pid` where the prefix shows one."""

    rank: int | None = None
    local_rank: int | None = None
    node: str | None = None
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: source, first and last line (from 1), who printed it, and the time it shows."""

    source: int
    line: int
    end_line: int
    speaker: Speaker = Speaker()
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback; `code` is the source line that the traceback prints."""

    path: str
    line: int
    function: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A signature that matched a text, with its captures and what the text says about its speaker.

    `signal`: it is not the failure's own text but the signature's further signal of that index.
    """

    signature: str
    role: Role
    about: About | None
    captures: dict[str, str]
    signal: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception of a traceback: its type as printed, its message, its frames (outermost first)."""

    type: str
    message: str
    frames: tuple[Frame, ...] = ()

    @property
    def text(self) -> str:
        """The text that signatures are matched against."""
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True, slots=True)
class Traceback:
    """A Python traceback with its chain, in the order of printing.

    `uncaught`: it reached the top of its program. `ignored`: the interpreter itself says that it was ignored.
    `launcher`: it is the launcher's own. `spawn_index`: the process that a parent re-raises it for.
    `header`: the line printed just before, by the same speaker. `origin`: which exception of the chain tells what
    happened. `process`: the pid in which it happened, where a report of another process names it. `count`: how many
    equal ones of the same speaker there are up to here, where not all are kept.
    """

    place: Place
    chain: tuple[Raised, ...]
    uncaught: bool
    ignored: bool = False
    launcher: str | None = None
    spawn_index: int | None = None
    header: str = ""
    text: tuple[str, ...] = ()
    finding: Finding | None = None
    mentions: tuple[Finding, ...] = ()
    origin: int = -1
    process: int | None = None
    count: int = 1

    @property
    def cause(self) -> Raised:
        """The exception of the chain that tells what happened."""
        return self.chain[self.origin]


@dataclass(frozen=True, slots=True)
class Message:
    """A single line that a signature recognised; equal ones of one speaker are counted, not kept."""

    place: Place
    text: str
    finding: Finding
    count: int = 1


@dataclass(frozen=True, slots=True)
class Notice:
    """A launcher's or scheduler's line, read by its format. `kind` and `fields` are the format's words."""

    place: Place
    kind: str
    format: str
    fields: dict[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """One block of torchelastic's failure table."""

    place: Place
    rank: int
    local_rank: int
    exit_code: int
    pid: int
    host: str
    time: str
    root: bool


@dataclass(slots=True)
class Sighting:
    """Signs of life of one rank in one source: its first and last ordinary line, and its latest progress lines."""

    source: int
    rank: int
    local_rank: int | None = None
    node: str | None = None
    lines: int = 0
    last_line: int = 0
    last_text: str = ""
    last_time: str | None = None
    progress: list[int] = field(default_factory=list)
    pids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Evidence:
    """All that attribution needs of any number of texts. `amounts` holds what ranks say of their share of the data:
    template of the line -> rank -> number.
    """

    sources: list[Source] = field(default_factory=list)
    tracebacks: list[Traceback] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    rows: list[TableRow] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    progress: dict[int, list[int]] = field(default_factory=dict)
    amounts: dict[str, dict[int, float]] = field(default_factory=dict)
    last_lines: dict[int, int] = field(default_factory=dict)
    frameworks: list[str] = field(default_factory=list)
    launchers: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    empty: bool = True
