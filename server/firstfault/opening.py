"""Open a log, compressed or not, and tell texts from other files."""

from __future__ import annotations

import bz2
import codecs
import errno
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:  # the editor's package does not bring it
    zstd = None  # type: ignore[assignment]

PROBE = 4096
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # what PowerShell's redirection writes
ODD = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")  # control characters that no text has


def _zst(path: Path) -> IO[bytes]:
    if zstd is None:
        raise OSError(errno.ENOTSUP, "unpacking .zst needs Python 3.14, or the package backports.zstd; unpack it first")
    return cast(IO[bytes], zstd.ZstdFile(path))


OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": lambda path: cast(IO[bytes], gzip.GzipFile(path)),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": _zst,
}
# what reading a file or an archive may raise
BROKEN = (OSError, EOFError, lzma.LZMAError, *((zstd.ZstdError,) if zstd else ()))


def open_log(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked by its suffix."""
    opener = OPENERS.get(path.suffix.lower())
    return opener(path) if opener else path.open("rb", buffering=0)


def is_binary(probe: bytes) -> bool:
    """Tell whether bytes are no text: many NULs or control characters, or a pickle. A few stray bytes are text."""
    if probe.startswith(UTF16):
        return False
    if probe.startswith((b"PK\x03\x04", b"\x7fELF", b"\x89PNG")) or (probe[:1] == b"\x80" and probe[1:2] <= b"\x05"):
        return True
    odd = len(probe) - len(probe.translate(None, ODD))
    garbled = len(probe.decode("utf-8", "replace").encode("utf-8", "ignore")) - len(probe)  # 3 bytes for each bad one
    return odd * 5 > len(probe) or garbled > len(probe) * 0.6


def filler(path: Path | None, stream: IO[bytes]) -> Callable[[memoryview], int]:
    """Return a function that reads into a buffer and returns how many bytes came; 0 at the end.

    What a cut archive still gives is handed over before it breaks off; UTF-16 comes as UTF-8.
    """
    if path is not None:
        with open_log(path) as probe:
            if probe.read(2) in UTF16:
                return _copying(codecs.EncodedFile(stream, "utf-8", "utf-16").read)
    for name in ("readinto1", "readinto"):
        if hasattr(stream, name):
            return cast(Callable[[memoryview], int], getattr(stream, name))
    return _copying(stream.read)


def _copying(read: Callable[[int], bytes]) -> Callable[[memoryview], int]:
    """Fill buffers from a stream that only hands over bytes of its own, perhaps more than were asked for."""
    kept = io.BytesIO()

    def fill(buffer: memoryview) -> int:
        nonlocal kept
        if not (got := kept.readinto(buffer)):
            kept = io.BytesIO(read(len(buffer)))
            got = kept.readinto(buffer)
        return got

    return fill
