"""Paths, folders, standard input and plain text -> blocks of whole lines. The only module that opens logs."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

from firstfault.errors import FirstfaultError

BLOCK = 1 << 20
LONGEST_LINE = 1 << 16  # bytes; a longer line is read in pieces, so that 500 MB without newline need no memory
PROBE = 4096
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # what PowerShell's redirection writes
ODD = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")  # control characters that no text has
OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": lambda path: cast(IO[bytes], gzip.GzipFile(path)),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
NOT_LOGS = frozenset({".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".npy", ".npz", ".pkl", ".pickle", ".so", ".pyc"})
NOT_LOGS |= {".py", ".toml", ".json", ".yaml", ".yml", ".sh", ".png", ".zip", ".tar"}
# CSI sequences, OSC up to BEL or ST, and single-character escapes, as in ECMA-48
ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[ -/]*[0-~])"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A text to be read: a file, a text, or a stream; `name` is what a person calls it."""

    path: Path | None
    name: str
    text: str | None = None
    stream: IO[bytes] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines as bytes without escape sequences; `first` is the number of the first one, counted from 1."""

    first: int
    data: bytes


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
    return opened, notes


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
    return found


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sorting key in which rank-10 comes after rank-9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _readable(path: Path, notes: list[str]) -> bool:
    """Tell whether a file is a text that can be read now; say in the notes why not."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            notes.append(f"{path}: not a regular file, left out")
            return False
        with _open(path) as stream:
            probe = stream.read(PROBE)
    except (OSError, EOFError, lzma.LZMAError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        notes.append(f"{path}: cannot be read: {reason}")
        return False
    if is_binary(probe):
        notes.append(f"{path}: a binary file, left out")
        return False
    return True


def is_binary(probe: bytes) -> bool:
    """Tell whether bytes are no text: many NULs or control characters, or a pickle. A few stray bytes are text."""
    if probe.startswith(UTF16):
        return False
    if probe.startswith((b"PK\x03\x04", b"\x7fELF", b"\x89PNG")) or (probe[:1] == b"\x80" and probe[1:2] <= b"\x05"):
        return True
    odd = len(probe) - len(probe.translate(None, ODD))
    garbled = len(probe.decode("utf-8", "replace").encode("utf-8", "ignore")) - len(probe)  # 3 bytes for each bad one
    return odd * 5 > len(probe) or garbled > len(probe) * 0.6


def _open(path: Path) -> IO[bytes]:
    opener = OPENERS.get(path.suffix.lower())
    return opener(path) if opener else path.open("rb")


def size(opened: Opened) -> int:
    """Return how many bytes there are to read, for progress; compressed files count as they lie on disk."""
    if opened.path is None:
        return len(opened.text or "")
    try:
        return opened.path.stat().st_size
    except OSError:
        return 0


def blocks(opened: Opened) -> Iterator[Block]:
    """Yield a text's lines in blocks of about a megabyte; memory does not grow with the text.

    Raises `FirstfaultError` when reading breaks off midway; what was yielded before still stands.
    """
    if opened.stream is not None:
        yield from _blocks(opened.stream)
        return
    if opened.path is None:
        yield from _blocks(io.BytesIO((opened.text or "").encode("utf-8", "surrogateescape")))
        return
    try:
        with _open(opened.path) as stream:
            yield from _blocks(_recoded(opened.path, stream))
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise FirstfaultError(f"{opened.path}: reading broke off: {error}") from error


def _recoded(path: Path, stream: IO[bytes]) -> IO[bytes]:
    """Return a stream of UTF-8 where the file says that it is UTF-16."""
    with _open(path) as probe:
        start = probe.read(2)
    return cast(IO[bytes], codecs.EncodedFile(stream, "utf-8", "utf-16")) if start in UTF16 else stream


def _blocks(stream: IO[bytes] | BinaryIO) -> Iterator[Block]:
    number, rest = 1, b""
    # read1 hands over what a cut archive still gives before it breaks off
    read = stream.read if isinstance(stream, codecs.StreamRecoder) else getattr(stream, "read1", stream.read)
    while chunk := read(BLOCK):
        data = rest + chunk
        cut = data.rfind(b"\n") + 1
        if not cut and len(data) < LONGEST_LINE:
            rest = data
            continue
        cut = cut or len(data)  # a line without end: hand it over in pieces
        rest = data[cut:]
        yield Block(number, clean(data[:cut]))
        number += data.count(b"\n", 0, cut)
    if rest:
        yield Block(number, clean(rest))


def clean(data: bytes) -> bytes:
    """Remove terminal escape sequences and NULs; newlines, and so line numbers, stay."""
    if b"\x1b" in data:
        data = ESCAPES.sub(b"", data)
    return data.replace(b"\0", b"") if b"\0" in data else data


def decode(line: bytes) -> Iterator[str]:
    """Yield the texts of one line: the states of a progress bar that overwrite each other, bad bytes escaped."""
    for part in line.rstrip(b"\r").split(b"\r"):
        for start in range(0, max(len(part), 1), LONGEST_LINE):
            yield part[start : start + LONGEST_LINE].decode("utf-8", "backslashreplace")
