"""A frame of a traceback, as a log names it -> the line of a file on this machine; nothing where that is not sure."""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firstfault.lsp.edits import lines_of
from firstfault.model import Frame
from firstfault.parsing.notebooks import CELL

LARGEST = 4_000_000  # bytes; a longer file is no source that a person wrote
WALK_SECONDS = 0.25  # nobody notices; in a workspace too large for it, paths below its top folders are still found
NOT_SOURCES = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env", "wandb", "mlruns"})
CELL_MARK = ".ipynb#"  # in the name of a cell's text, which has no file of its own
ANCESTORS = 3  # folders above a log in which its script may lie, e.g. run/logs/attempt_0/0.log


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file, counted from 0, and how it reads."""

    path: Path
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Files:
    """Where sources may lie: workspace folders, folders near the run, and what is open in the editor.

    `documents` hold the editor's text, which is newer than the disk's.
    """

    folders: tuple[Path, ...] = ()
    near: tuple[Path, ...] = ()
    documents: Mapping[Path, str] = field(default_factory=dict)
    _walked: dict[str, list[Path]] = field(default_factory=dict)

    def lines(self, path: Path) -> list[str]:
        """Return a file's lines; none when it cannot be read."""
        text = self.documents.get(path)
        if text is None:
            try:
                text = path.read_bytes().decode("utf-8", "replace") if path.stat().st_size < LARGEST else ""
            except OSError:
                return []
        return lines_of(text)

    def candidates(self, parts: Sequence[str]) -> Iterator[Path]:
        """Yield the files that may be meant by a path with these parts, some of them twice."""
        yield from (path for path in self.documents if path.name == parts[-1])
        for folder in self._folders():
            for start in range(len(parts)):
                path = folder.joinpath(*parts[start:])
                if path.is_file():
                    yield path
        yield from self._below_folders(parts[-1])

    def _folders(self) -> Iterator[Path]:
        yield from self.folders
        for folder in self.near:
            yield folder
            yield from folder.parents[:ANCESTORS]

    def _below_folders(self, name: str) -> list[Path]:
        """Find sources by name anywhere in the workspace, which is walked once."""
        if not self._walked:
            self._walked[""] = []
            for path in _walk(self.folders):
                self._walked.setdefault(path.name, []).append(path)
        return self._walked.get(name, [])


def _walk(folders: Iterable[Path]) -> Iterator[Path]:
    end = time.monotonic() + WALK_SECONDS
    for root in folders:
        for folder, below, names in os.walk(root):
            if time.monotonic() > end:
                return
            below[:] = [b for b in below if b not in NOT_SOURCES and not b.startswith(".")]
            yield from (Path(folder, name) for name in names if name.endswith(".py"))


def locate(frame: Frame, files: Files) -> Spot | None:
    """Return the line that a frame speaks of, by the longest matching path that also has the frame's source line.

    A traceback that prints no source line, and two files that fit equally well, give nothing.
    """
    parts = parts_of(frame.path)
    if CELL.search(frame.path):
        return _in_cell(frame, files)
    if not frame.code.strip() or not parts:
        return None
    found: dict[Path, tuple[tuple[int, bool, int], Spot]] = {}
    for path in dict.fromkeys([*_itself(frame.path), *files.candidates(parts)]):
        lines = files.lines(path)
        number = find_line(lines, frame)
        if number is not None:
            rank = (common_suffix(parts, path.parts), number == frame.line - 1, _kinship(path, files.near))
            found[path] = rank, Spot(path, number, lines[number].rstrip())
    best = max((rank for rank, _ in found.values()), default=None)
    spots = [spot for rank, spot in found.values() if rank == best]
    return spots[0] if len(spots) == 1 else None


def _in_cell(frame: Frame, files: Files) -> Spot | None:
    """Return the line in the one open cell that has it; a kernel numbers its inputs, not the cells of a notebook."""
    spots = []
    for path in files.documents:
        if CELL_MARK in path.name and frame.code.strip():
            lines = files.lines(path)
            number = find_line(lines, frame)
            if number is not None:
                spots.append(Spot(path, number, lines[number].rstrip()))
    return spots[0] if len(spots) == 1 else None


def parts_of(path: str) -> tuple[str, ...]:
    r"""Split a path of any system, e.g. `C:\job\train.py` read on Linux; none for `<stdin>` and the like."""
    if path.startswith("<"):
        return ()
    return tuple(part for part in re.split(r"[\\/]+", path) if part not in ("", ".", ".."))


def _itself(path: str) -> list[Path]:
    """Return the very path of the log where it exists on this machine."""
    return [Path(path)] if Path(path).is_absolute() and Path(path).is_file() else []


def common_suffix(left: Sequence[str], right: Sequence[str]) -> int:
    """Count the parts that two paths share at their ends."""
    count = 0
    for one, other in zip(reversed(left), reversed(right), strict=False):
        if one != other:
            break
        count += 1
    return count


def _kinship(path: Path, near: Iterable[Path]) -> int:
    """Measure the path that a file shares with the run's own folders: of two equal files, the nearer one ran."""
    return max((len(os.path.commonpath([path, folder])) for folder in near if path.anchor == folder.anchor), default=0)


def find_line(lines: Sequence[str], frame: Frame) -> int | None:
    """Return where a frame's source line stands now, counted from 0: at its number, else where its text stands.

    Of several such lines those in the frame's function count, then the one nearest to the old number.
    """
    at, code = frame.line - 1, frame.code.strip()
    if 0 <= at < len(lines) and lines[at].strip() == code:
        return at
    hits = [number for number, line in enumerate(lines) if line.strip() == code]
    if len(hits) > 1:
        functions = _functions(lines)
        hits = [n for n in hits if _function_at(functions, n) == frame.function] or hits
    return nearest(hits, at)


def nearest(hits: Iterable[int], at: int) -> int | None:
    """Return the number nearest to `at`; None when there is none, or two are equally near."""
    ordered = sorted(hits, key=lambda n: abs(n - at))
    if len(ordered) > 1 and abs(ordered[0] - at) == abs(ordered[1] - at):
        return None
    return ordered[0] if ordered else None


def _functions(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return first line, last line and name of every function, counted from 0."""
    try:
        tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [(n.lineno - 1, (n.end_lineno or n.lineno) - 1, n.name) for n in ast.walk(tree) if isinstance(n, kinds)]


def _function_at(functions: Sequence[tuple[int, int, str]], line: int) -> str:
    """Name the innermost function around a line, as a traceback names it."""
    around = [(last - first, name) for first, last, name in functions if first <= line <= last]
    return min(around)[1] if around else "<module>"
