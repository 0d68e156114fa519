"""How launchers and schedulers write: prefixes of lines, names of files, and notices, one TOML file each.

A file's samples must be read as they say; `tests/test_formats.py` runs them all.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cattrs

from firstfault.errors import FirstfaultError
from firstfault.literals import required_literals

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix of a line. Groups: rank, local_rank, node, pid, time.

    `most_lines`: it counts only in a text most of whose lines have it, for it looks like ordinary text.
    `counts`: likewise, and its numbers must grow from line to line; a prefix with `rank` must not do that.
    `anywhere`: it is also found, and taken out, in the middle of a line.
    """

    name: str
    regex: str
    most_lines: bool = False
    counts: bool = False
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class NoticeShape:
    """A line of the launcher. `kind` is one of `KINDS`; the groups are the notice's fields."""

    kind: str
    regex: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A real line and how it must be read: as which prefix or kind of notice, with which fields."""

    log: str
    prefix: str | None = None
    notice: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Format:
    """One launcher's ways of writing. `launcher`: its notices and prefixes show that this launcher ran the job.

    `paths`: regexes on a file's path that give rank, local_rank, attempt or node. `frames`: regexes on the paths of
    traceback frames that belong to the launcher's own program. `reports`: regexes on types of exceptions by which the
    launcher, inside the user's program, reports what became of other processes. `agents`: regexes on the paths of
    frames that only the launcher's process has, even where the user's own program started it. `origins`: regexes on the
    text of a report that name the process (pid) in which it happened. `programs`: regexes on the name of a program or
    module that starts such a job, `modules` on the modules that a script of such a job imports. `bystanders`: regexes
    on a whole command that trains nothing, though its words or its output may be those of a training run.
    """

    title: str
    url: str
    launcher: str | None = None
    paths: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    bystanders: tuple[str, ...] = ()
    prefixes: tuple[Prefix, ...] = ()
    notices: tuple[NoticeShape, ...] = ()
    samples: tuple[Sample, ...] = ()
    name: str = ""


KINDS = {
    "exit": "a rank or process ended: rank, local_rank, tasks or pid; code or signal",
    "wordless-exit": "likewise, and the launcher knows that no exception was raised: rank, code",
    "exit-rank": "the first line of a two-line exit notice: rank",
    "exit-code": "its second line: code",
    "return-code": "some process of this launcher ended with this code; which one is not said",
    "closing": "the launcher ends a process: pid",
    "escalated": "a process did not react to the launcher's signal and was killed: pid",
    "death-signal": "the launcher itself received a signal: signal",
    "outside": "somebody ended the job from outside",
    "cancelled": "the scheduler's step ended, for an outside reason or as a clean-up",
    "cleanup": "the launcher ends the other ranks because one failed",
    "spawned": "a process was started: pid, local_rank",
    "member": "which process is which rank: pid, rank",
    "worker-lost": "a worker process is gone: pid",
    "world": "how many ranks there are: world_size",
    "local-ranks": "the global ranks of one agent's processes, in the order of local ranks: ranks",
    "node-count": "how many nodes (agents) the run has: nodes",
    "joined": "how many came of how many: joined, expected",
    "stack-dump": "somebody looked at a process that hangs: pid",
    "nodes": "which ranks run on which node: mapping, as a Python dict",
    "device": "which rank uses which GPU: host, pid, rank, bus",
    "command": "a shell's prompt and the command typed there: a new run begins",
    "shell-exit": "a shell's word about the process that it ran: signal",
    "succeeded": "the launcher's last word: all ranks finished",
    "failed": "the launcher's last word: the job failed",
}


@functools.cache
def load() -> tuple[Format, ...]:
    """Return all formats that come with this program, in the order of their names."""
    return tuple(read(path) for path in sorted(FOLDER.glob("*.toml")))


def read(path: Path) -> Format:
    """Read one format file; raise `FirstfaultError` with what to mend."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        loaded = cattrs.Converter(forbid_extra_keys=True).structure(raw, Format)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FirstfaultError(f"{path}: not readable as TOML: {error}") from error
    except cattrs.BaseValidationError as error:
        raise FirstfaultError(f"{path}: {'; '.join(cattrs.transform_error(error, path='the file'))}") from error
    for shape in loaded.notices:
        if shape.kind not in KINDS:
            raise FirstfaultError(f"{path}: unknown kind of notice {shape.kind!r}; use one of {', '.join(KINDS)}")
        if not required_literals(shape.regex):
            raise FirstfaultError(f"{path}: {shape.regex!r} needs a literal text of four letters")
    return replace(loaded, name=path.stem)


@functools.cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a format's regex once."""
    return re.compile(pattern)
