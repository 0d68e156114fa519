"""The parsed catalogue, kept in the user's cache folder: reading it back costs a tenth of parsing the TOML files.

A snapshot is JSON, so reading it can run no code; its name is a digest of the signature files and of the code that
reads them, and it is only believed when it belongs to this user.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firstfault import __version__, literals, signature
from firstfault.signature import Code, Ignore, Match, Pattern, Signal, Signature, Verify

Literals = dict[str, tuple[str, ...]]
KEPT = 4  # snapshots of other versions and checkouts that stay
TABLES = {"patterns": Pattern, "signals": Signal, "matches": Match, "ignores": Ignore}
SEQUENCES = ("fix", "references", "refines", "depends_on", "code_fixes", "prevention", "related", "search")


def key_of(files: Mapping[str, bytes]) -> str:
    """Return what a snapshot of these files, by their ids, is called; other code that reads them changes it, too."""
    digest = hashlib.sha256(f"{__version__} {sys.version_info[:2]}".encode())
    for module in (signature, literals):
        digest.update(hashlib.sha256(inspect.getsource(module).encode()).digest())
    for identifier, text in files.items():
        digest.update(f"{identifier} {hashlib.sha256(text).hexdigest()}".encode())
    return digest.hexdigest()[:32]


def read(key: str) -> tuple[list[Signature], Literals] | None:
    """Return the signatures and their patterns' literals, or None when there is no snapshot that can be believed."""
    path = _path(key)
    try:
        if not _is_own(path):
            return None
        raw = json.loads(path.read_text(encoding="utf-8"))
        signatures = [_signature(entry) for entry in raw["signatures"]]
        return signatures, {regex: tuple(texts) for regex, texts in raw["literals"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # none yet, or cut short: the files are read
        return None


def write(key: str, signatures: list[dict[str, Any]], required: Mapping[str, tuple[str, ...]]) -> None:
    """Keep a snapshot. Where the cache folder cannot be written to, the next start is merely slower."""
    path = _path(key)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as out:
            json.dump({"signatures": signatures, "literals": required}, out, ensure_ascii=False, separators=(",", ":"))
        Path(out.name).replace(path)
        snapshots = sorted(path.parent.glob("catalogue-*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in snapshots[KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def folder() -> Path:
    """Return this program's cache folder."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local", "firstfault", "cache")
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "firstfault"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache", "firstfault")


def _path(key: str) -> Path:
    return folder() / f"catalogue-{key}.json"


def _is_own(path: Path) -> bool:
    """Tell whether nobody but this user can have written a file; Windows keeps the folder to its user."""
    if sys.platform == "win32":
        return path.is_file()
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _signature(raw: dict[str, Any]) -> Signature:
    """Build a signature from what `write` wrote; faster than a general converter, which would also check it again."""
    for name in SEQUENCES:
        raw[name] = tuple(raw[name])
    for name, kind in TABLES.items():
        raw[name] = tuple(kind(**row) for row in raw[name])
    raw["fix_for"] = {framework: tuple(steps) for framework, steps in raw["fix_for"].items()}
    raw["code"] = Code(**raw["code"]) if raw["code"] else None
    raw["verify"] = Verify(**raw["verify"]) if raw["verify"] else None
    return Signature(**raw)
