"""Paths, folders, standard input and plain text -> blocks of whole lines. The only module that opens logs."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO, FileIO
from itertools import cycle
from pathlib import Path
from typing import IO

from firstfault.errors import FirstfaultError
from firstfault.opening import BROKEN, OPENERS, PROBE, filler, is_binary, open_log

try:
    import stringzilla  # counts newlines three times as fast as Python
except ImportError:
    stringzilla = None

BLOCK = 1 << 18  # bytes; all buffers together fit into a processor's cache, which halves the time to fill them
RING = 16  # buffers that are used in turn
FEW_BYTES = 1 << 12
LONGEST_LINE = 1 << 16  # bytes; a longer line is read in pieces, so that 500 MB without newline need no memory
NOT_LOGS = frozenset({".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".npy", ".npz", ".pkl", ".pickle", ".so", ".pyc"})
NOT_LOGS |= {".py", ".toml", ".json", ".yaml", ".yml", ".sh", ".png", ".zip", ".tar"}
# CSI sequences, OSC up to BEL or ST, and single-character escapes, as in ECMA-48
ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[ -/]*[0-~])"
)
ROTATED = re.compile(r"(?P<base>.+)\.(?P<age>\d{1,4})(?:\.(?:gz|bz2|xz|zst))?$")
AT_ONCE = 64  # blocks that one look at a growing file takes
COLOURS = 16  # different colours of one block that are taken out one after the other


@dataclass(frozen=True, slots=True)
class Opened:
    """A text to be read: a file, a text, or a stream; `name` is what a person calls it.

    `parts`: the files of a rotated log, oldest first; `path` is the last of them. `url`: where a stream comes from.
    """

    path: Path | None
    name: str
    text: str | None = None
    stream: IO[bytes] | None = None
    parts: tuple[Path, ...] = ()
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines as they lie in the text: the first `size` bytes of a buffer that is used again `RING` chunks later.

    `last`: the text ends here. `part`: which file of a rotated log it is from.
    """

    buffer: bytearray
    size: int
    last: bool
    part: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Lines without escape sequences: the first `size` bytes of `data`. `lines` is how many newlines they have."""

    data: bytes | bytearray
    size: int
    lines: int
    chunk: Chunk


def find(paths: list[Path]) -> tuple[list[Opened], list[str]]:
    """Return the texts below the paths in a natural order, and notes on what was left out.

    Raises `FirstfaultError` when a path does not exist or nothing readable is left.
    """
    opened: list[Opened] = []
    notes: list[str] = []
    for path in paths:
        if not _exists(path):
            raise FirstfaultError(f"{path}: no such file or folder")
        if path.is_dir():
            opened += _folder(path, notes)
        else:
            opened += [Opened(path, path.name)] if _readable(path, notes) else []
    if not opened:
        raise FirstfaultError(_nothing(paths, notes))
    return joined(opened), notes


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # e.g. a name that is too long for any file
        return False


def _nothing(paths: list[Path], notes: list[str]) -> str:
    return "; ".join(notes) or f"{', '.join(map(str, paths))}: no log file in this folder"


def _folder(root: Path, notes: list[str]) -> list[Opened]:
    """Walk a folder; symbolic links to folders are not followed, so loops cannot occur."""
    found = []
    for folder, folders, files in os.walk(root, onerror=lambda e: notes.append(f"{e.filename}: {e.strerror}")):
        folders.sort(key=natural)
        for name in sorted(files, key=natural):
            path = Path(folder, name)
            if path.suffix.lower() in NOT_LOGS or name.startswith(".") or not _readable(path, notes):
                continue
            found.append(Opened(path, path.relative_to(root).as_posix()))
    return joined(found)


def joined(texts: list[Opened]) -> list[Opened]:
    """Put the files of each rotated log together: `train.log.2.gz`, `train.log.1`, `train.log` are one text."""
    by_path, older = {text.path: text for text in texts}, dict[Path, dict[int, Path]]()
    for text in texts:
        hit = ROTATED.match(text.path.name) if text.path else None
        if text.path and hit and (base := text.path.with_name(hit["base"])) in by_path:
            older.setdefault(base, {})[int(hit["age"])] = text.path
    # ranks are counted from 0, and old files from 1
    older = {base: files for base, files in older.items() if 0 not in files}
    gone = {path for files in older.values() for path in files.values()}
    return [
        replace(text, parts=(*(files[age] for age in sorted(files, reverse=True)), text.path))
        if text.path and (files := older.get(text.path))
        else text
        for text in texts
        if text.path not in gone
    ]


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sorting key in which rank-10 comes after rank-9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _readable(path: Path, notes: list[str]) -> bool:
    """Tell whether a file is a text that can be read now; say in the notes why not."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            notes.append(f"{path}: not a regular file, left out")
            return False
        with open_log(path) as stream:
            probe = stream.read(PROBE)
    except BROKEN as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        notes.append(f"{path}: cannot be read: {reason}")
        return False
    if is_binary(probe):
        notes.append(f"{path}: a binary file, left out")
        return False
    return True


def size(opened: Opened) -> int:
    """Return how many bytes there are to read, for progress; compressed files count as they lie on disk."""
    if opened.path is None:
        return len(opened.text or "")
    try:
        return sum(path.stat().st_size for path in opened.parts or (opened.path,))
    except OSError:
        return 0


def chunks(opened: Opened) -> Iterator[Chunk]:
    """Yield a text's lines in chunks of equal size; memory does not grow with the text.

    Raises `FirstfaultError` when reading breaks off midway; what was yielded before still stands.
    """
    ring = cycle([bytearray(0) for _ in range(RING)])
    if opened.path is None:
        stream = opened.stream or BytesIO((opened.text or "").encode("utf-8", "surrogateescape"))
        yield from _chunks(filler(None, stream), ring, 0)
        return
    for part, path in enumerate(opened.parts or (opened.path,)):
        yield from _file(path, ring, part)


def _file(path: Path, ring: Iterator[bytearray], part: int) -> Iterator[Chunk]:
    try:
        with open_log(path) as stream:
            yield from _chunks(filler(path, stream), ring, part)
            if isinstance(stream, FileIO) and stream.tell() > path.stat().st_size:
                raise FirstfaultError(f"{path}: became shorter while it was read; what was read before counts")
    except BROKEN as error:
        raise FirstfaultError(f"{path}: reading broke off: {error}") from error


def _chunks(fill: Callable[[memoryview], int], ring: Iterator[bytearray], part: int) -> Iterator[Chunk]:
    rest, broken, ended = b"", None, False
    while not ended:
        buffer = next(ring)
        if not buffer:
            buffer.extend(bytes(BLOCK))
        buffer[: len(rest)] = rest
        size, got = len(rest), 1
        try:
            while got and size < BLOCK:
                with memoryview(buffer) as view, view[size:] as room:
                    got = fill(room)
                size += got
        except BROKEN as error:
            broken = error
        ended = bool(broken) or not got
        # a line that is longer than the buffer is handed over in pieces
        cut = size if ended else buffer.rfind(b"\n", 0, size) + 1 or size
        rest = bytes(buffer[cut:size])
        if cut:
            yield Chunk(buffer, cut, ended, part)
    if broken:
        raise broken


def since(path: Path, position: int) -> list[bytes]:
    """Return what stands in a file from a position on, at most some blocks; the next look gets the rest."""
    if path.suffix.lower() in OPENERS:
        return []  # a packed file does not grow
    with path.open("rb") as stream:
        stream.seek(position)
        return [data for data in (stream.read(BLOCK) for _ in range(AT_ONCE)) if data]


def newlines(data: bytes | bytearray, start: int, end: int) -> int:
    """Count the newlines in a part of a text."""
    if end - start < FEW_BYTES or stringzilla is None:
        return data.count(b"\n", start, end)
    with memoryview(data) as view, view[start:end] as part:
        return int(stringzilla.count(part, "\n"))


def tidy(chunk: Chunk) -> Block:
    """Remove terminal escape sequences and NULs; newlines, and so line numbers, stay."""
    data: bytes | bytearray = chunk.buffer
    size = chunk.size
    lines = newlines(data, 0, size)
    if data.find(b"\x1b", 0, size) >= 0:
        data = _colourless(bytes(data[:size]))
        size = len(data)
    if data.find(b"\0", 0, size) >= 0:
        data = bytes(data[:size]).replace(b"\0", b"")
        size = len(data)
    return Block(data, size, lines, chunk)


def _colourless(data: bytes) -> bytes:
    """Remove escape sequences: the few that a log is coloured with by whole-text replacement, which is fast."""
    for _ in range(COLOURS):
        hit = ESCAPES.search(data)
        if hit is None:
            return data
        if hit[0][:2] != b"\x1b[" or len(hit[0]) == 2:
            break
        data = data.replace(hit[0], b"")
    return ESCAPES.sub(b"", data)


def decode(line: bytes) -> Iterator[str]:
    """Yield the texts of one line: the states of a progress bar that overwrite each other, bad bytes escaped."""
    for part in line.rstrip(b"\r").split(b"\r"):
        for start in range(0, max(len(part), 1), LONGEST_LINE):
            yield part[start : start + LONGEST_LINE].decode("utf-8", "backslashreplace")
