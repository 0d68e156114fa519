"""What has been diagnosed in this session, and which lines it marks; knows nothing of the protocol."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from firstfault.analysis import Request
from firstfault.diagnosis import Diagnosis
from firstfault.model import Evidence

Key = tuple[str, ...]
Role = Literal["initiating", "collateral", "remedy"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked line, counted from 0. `text` is how a line of code reads; None for a line of a log.

    A remedy is a line of a launch file that an edit, `fix`, would change.
    """

    path: Path
    line: int
    role: Role
    message: str
    text: str | None = None
    width: int = 0
    fix: str = ""

    @property
    def in_log(self) -> bool:
        """Tell a line of a log from a line of code."""
        return self.text is None


@dataclass(slots=True)
class Run:
    """One diagnosis. `key` says of which run: a later diagnosis with the same key takes its place.

    `id` is the name by which the editor asks for it.
    """

    key: Key
    order: int
    id: str
    request: Request
    evidence: Evidence
    diagnosis: Diagnosis
    marks: list[Mark] = field(default_factory=list)
    sources: tuple[Path, ...] = ()  # other files of the program, in one of which the cause may stand

    @property
    def cause(self) -> str | None:
        """The id of what it was."""
        return self.diagnosis.cause.id if self.diagnosis.cause else None

    def paths(self) -> set[Path]:
        """Return the files that are marked."""
        return {mark.path for mark in self.marks}


class Runs:
    """All diagnoses of a session that still stand."""

    def __init__(self) -> None:
        self._runs: dict[Key, Run] = {}
        self._settled: dict[Key, int] = {}
        self._counter = itertools.count(1)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs.values())

    def next_order(self) -> int:
        """Count a diagnosis that begins now."""
        return next(self._counter)

    def get(self, identifier: str | None) -> Run | None:
        """Return a diagnosis by its id, the latest one without."""
        known = sorted(self._runs.values(), key=lambda run: run.order)
        if identifier is None:
            return known[-1] if known else None
        return next((run for run in known if run.id == identifier), None)

    def put(self, run: Run) -> set[Path]:
        """Let a diagnosis take the place of the former one of its run; return the files whose marks change.

        One that began before a later one of the same run was settled comes too late and is dropped.
        """
        if run.order < self._settled.get(run.key, 0):
            return set()
        self._settled[run.key] = run.order
        former = self._runs.pop(run.key, None)
        self._runs[run.key] = run
        return run.paths() | (former.paths() if former else set())

    def clear(self, key: Key) -> set[Path]:
        """Forget a run that has succeeded since; what is still being read of it will not be shown."""
        self._settled[key] = self.next_order()
        former = self._runs.pop(key, None)
        return former.paths() if former else set()

    def dismiss(self, wanted: Callable[[Run], bool]) -> set[Path]:
        """Forget the diagnoses that a person does not want to see; return the files whose marks change."""
        gone = [run for run in self if wanted(run)]
        for run in gone:
            del self._runs[run.key]
        return set().union(*(run.paths() for run in gone))

    def marks(self, path: Path) -> list[tuple[Run, Mark]]:
        """Return the marks of one file."""
        return [(run, mark) for run in self for mark in run.marks if mark.path == path]

    def follow(self, path: Path, moved: Callable[[Mark], int | None]) -> set[Path]:
        """Move a file's code marks to where `moved` says; None means that the line was edited, which ends the mark.

        An edit of the initiating line ends all marks of its diagnosis: somebody is mending it.
        """
        changed: set[Path] = set()
        for run in self:
            marks = [self._followed(mark, path, moved) for mark in run.marks]
            if marks == run.marks:
                continue
            mended = any(old.role == "initiating" and new is None for old, new in zip(run.marks, marks, strict=True))
            changed |= run.paths() if mended else {path}
            run.marks = [] if mended else [mark for mark in marks if mark]
        return changed

    @staticmethod
    def _followed(mark: Mark, path: Path, moved: Callable[[Mark], int | None]) -> Mark | None:
        if mark.path != path or mark.in_log:
            return mark
        line = moved(mark)
        return None if line is None else replace(mark, line=line)
