"""The user's own signatures in trusted workspaces, read anew when a file of theirs changes."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from firstfault import catalogue
from firstfault.catalogue import Catalogue
from firstfault.errors import FirstfaultError
from firstfault.signature import Signature

FOLDER = Path(".firstfault", "signatures")
Stamp = tuple[tuple[str, int, int], ...]


class CustomSignatures:
    """The built-in catalogue with the workspace's signatures; a broken one is complained about and left out."""

    def __init__(self) -> None:
        self._known: tuple[Stamp, Catalogue, tuple[str, ...]] | None = None
        self._one = threading.Lock()  # the first questions come at once, and reading takes a second

    def load(self, workspace: Iterable[Path]) -> tuple[Catalogue, tuple[str, ...]]:
        """Return the catalogue and one sentence per broken file. Safe to call from any thread."""
        files = [(folder / FOLDER, path) for folder in workspace for path in sorted((folder / FOLDER).rglob("*.toml"))]
        stamp = tuple(_stamp(path) for _, path in files)
        with self._one:
            if self._known is None or self._known[0] != stamp:
                self._known = (stamp, *_read(files))
            return self._known[1:]


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), 0, 0
    return str(path), status.st_mtime_ns, status.st_size


def _read(files: Iterable[tuple[Path, Path]]) -> tuple[Catalogue, tuple[str, ...]]:
    read = [_signature(folder, path) for folder, path in files]
    signatures = [signature for signature in read if not isinstance(signature, str)]
    broken = tuple(complaint for complaint in read if isinstance(complaint, str))
    built_in = catalogue.builtin()
    return Catalogue([*built_in.values(), *signatures]) if signatures else built_in, broken


def _signature(folder: Path, path: Path) -> Signature | str:
    """Return a signature, or what is wrong with it."""
    try:
        return catalogue.read_file(path, folder)
    except FirstfaultError as error:
        return f"{error} (this signature is left out)"
