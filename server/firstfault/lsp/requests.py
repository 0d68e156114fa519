"""The arguments of the commands, as an editor sends them -> checked values; one sentence when they are wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pygls.uris import to_fs_path

from firstfault.analysis import Request
from firstfault.errors import FirstfaultError
from firstfault.lsp.runs import Key

T = TypeVar("T")


class BadArguments(FirstfaultError):
    """Say which argument is wrong, and what it must be."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a diagnosis, and which run it is about. `name` is what the editor will call the answer."""

    request: Request
    key: Key
    name: str | None = None

    @property
    def title(self) -> str:
        """What is being read, for the progress bar."""
        names = [path.name for path in self.request.paths]
        return f"{', '.join(names[:3])}{', …' if len(names) > 3 else ''}" if names else "the run's output"


def diagnose(arguments: Sequence[object], base: Path | None) -> Asked:
    """Read `{text?, paths?, cwd?, command?, exitCode?, origin, id?}`; relative paths start at `cwd`, else at `base`."""
    given = mapping(arguments, "firstfault.diagnose")
    text, command = _optional(given, "text", str), _optional(given, "command", str)
    cwd = _optional(given, "cwd", str)
    start = _path(cwd or ".", base or Path.cwd())
    paths = tuple(_path(item, start) for item in _paths(given))
    if text is None and not paths:
        raise BadArguments("firstfault.diagnose needs 'text' or 'paths' to read")
    request = Request(paths, _whole(text), _optional(given, "exitCode", int), command, start if cwd else None)
    return Asked(request, _key(given, command, cwd, paths), _optional(given, "id", str))


def _key(given: Mapping[str, object], command: str | None, cwd: str | None, paths: Sequence[Path]) -> Key:
    """Name the run: its command and folder, else the logs, else where the text came from."""
    if command:
        return run_key(command, cwd)
    return ("paths", *map(str, paths)) if paths else ("origin", _optional(given, "origin", str) or "")


def run_key(command: str, cwd: str | None) -> Key:
    """Name a run by its command and folder."""
    return ("command", command.strip(), os.path.normpath(cwd) if cwd else "")


def command_line(arguments: Sequence[object], name: str) -> tuple[str, str | None]:
    """Read `{command, cwd?}`."""
    given = mapping(arguments, name)
    command = _optional(given, "command", str)
    if not command:
        raise BadArguments(f"{name} needs the 'command' of a run")
    return command, _optional(given, "cwd", str)


def report(arguments: Sequence[object]) -> tuple[str | None, str | None]:
    """Read `{id?, links?}`: a diagnosis, and the address that opens a place of a file."""
    given = mapping(arguments or [{}], "firstfault.report")
    return _optional(given, "id", str), _optional(given, "links", str)


def verified(arguments: Sequence[object]) -> tuple[str | None, int | None, str]:
    """Read `{id?, exitCode?, output}`: what the verification command of a diagnosis printed."""
    given = mapping(arguments, "firstfault.verified")
    output = _optional(given, "output", str)
    if output is None:
        raise BadArguments("firstfault.verified needs the 'output' of the command")
    return _optional(given, "id", str), _optional(given, "exitCode", int), output


def named(arguments: Sequence[object], command: str) -> tuple[str | None, Path | None]:
    """Read `{id?, uri?}`: a diagnosis, or the file that it marks."""
    given = mapping(arguments or [{}], command)
    uri = _optional(given, "uri", str)
    return _optional(given, "id", str), _path(uri, Path.cwd()) if uri else None


def mapping(arguments: Sequence[object], command: str) -> Mapping[str, object]:
    """Return a command's only argument."""
    if len(arguments) != 1 or not isinstance(arguments[0], Mapping):
        raise BadArguments(f"{command} takes one argument, an object")
    return arguments[0]


def _optional(given: Mapping[str, object], name: str, kind: type[T]) -> T | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        wanted = {str: "a text", int: "a whole number"}[kind]
        raise BadArguments(f"'{name}' must be {wanted}, not {value!r:.60}")
    return value


def _paths(given: Mapping[str, object]) -> list[str]:
    paths = given.get("paths")
    if paths is None:
        return []
    if not isinstance(paths, list) or not all(isinstance(path, str) and path and "\0" not in path for path in paths):
        raise BadArguments("'paths' must be a list of paths")
    return paths


def _path(path: str, start: Path) -> Path:
    """Return an absolute path; `file:` addresses are taken as well."""
    local = to_fs_path(path) if path.startswith("file:") else path
    return Path(os.path.normpath(start / (local or path)))


def _whole(text: str | None) -> str | None:
    """Replace halves of surrogate pairs, which JSON can carry and no encoding can."""
    return text if text is None else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
