"""Whether a command of a terminal started a training run; everything else that fails there is none of our business.

What tells it is data: `programs`, `modules` and `bystanders` of the formats.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from firstfault import formats
from firstfault.model import Evidence

LARGEST = 400_000  # bytes of a script that are looked at
SCRIPTS = frozenset({".sh", ".bash", ".sbatch", ".slurm"})
OPERATORS = frozenset({";", "&", "&&", "|", "||", "(", ")", "\n"})
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
PYTHON = re.compile(r"python[\d.]*(?:\.exe)?", re.IGNORECASE)
WINDOWS_PATH = re.compile(r"(?:^|\s)(?:[A-Za-z]:|\.{1,2})\\\w")
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w., ]+))", re.MULTILINE)


def bystander(command: str) -> bool:
    """Tell a command that only looks at, moves or checks something, e.g. `grep Error run.log`."""
    commands = list(simple_commands(command))
    return bool(commands) and all(map(_only_looks, commands))


def starts_training(command: str, folder: Path | None) -> bool:
    """Tell whether a command starts a training run: by its launcher, or by what its script imports or starts."""
    return any(_trains(words, folder, nested=False) for words in simple_commands(command))


def shows_ranks(evidence: Evidence) -> bool:
    """Tell whether a text is that of a distributed run, whatever started it."""
    places = [t.place for t in evidence.tracebacks] + [m.place for m in evidence.messages]
    spoken = any(place.speaker.rank is not None for place in places)
    return bool(spoken or evidence.launchers or evidence.frameworks or evidence.rows or evidence.sightings)


def simple_commands(command: str) -> Iterator[list[str]]:
    """Split a shell's line into commands without the variables set for them."""
    words: list[str] = []
    for token in [*_tokens(command), ";"]:
        if token not in OPERATORS:
            words.append(token)
            continue
        while words and ASSIGNMENT.match(words[0]):
            words.pop(0)
        if words:
            yield words
        words = []


def _tokens(command: str) -> list[str]:
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=";&|()")
    lexer.whitespace_split, lexer.commenters = True, ""
    if WINDOWS_PATH.search(command):
        lexer.escape = ""  # the backslashes of a path
    try:
        return list(lexer)
    except ValueError:  # a quote that does not end
        return command.split()


def _only_looks(words: Sequence[str]) -> bool:
    return _matches("bystanders", " ".join(words), whole=False)


def _trains(words: Sequence[str], folder: Path | None, *, nested: bool) -> bool:
    if _only_looks(words):
        return False
    for index, word in enumerate(words):
        name = PurePath(word.replace("\\", "/")).name
        if _matches("programs", name.removesuffix(".exe"), whole=True):
            return True
        if PYTHON.fullmatch(name):
            return _python_trains(words[index + 1 :], folder)
        path = _file(word, folder)
        if path and path.suffix == ".py" and index == 0:
            return _imports_training(path)
        if path and path.suffix in SCRIPTS and not nested:
            return _script_trains(path)
    return False


def _python_trains(arguments: Sequence[str], folder: Path | None) -> bool:
    """Read `[options] script.py ...`, `-m module ...` and `-c text`."""
    for index, argument in enumerate(arguments):
        following = arguments[index + 1] if index + 1 < len(arguments) else ""
        if argument == "-m":
            return _matches("programs", following, whole=True) or _imports_training(_module(following, folder))
        if argument == "-c":
            return _imports_in(following.replace(";", "\n"))
        if not argument.startswith("-") and argument.endswith(".py"):
            return _imports_training(_file(argument, folder))
    return False


def _module(name: str, folder: Path | None) -> Path | None:
    inside = name.replace(".", "/")
    return _file(f"{inside}.py", folder) or _file(f"{inside}/__main__.py", folder)


def _script_trains(path: Path) -> bool:
    """Read the commands of a shell script."""
    lines = _text(path).replace("\\\n", " ").splitlines()
    commands = (words for line in lines if not line.lstrip().startswith("#") for words in simple_commands(line))
    return any(_trains(words, path.parent, nested=True) for words in commands)


def _imports_training(path: Path | None) -> bool:
    """Look at what a script imports, and at what the files beside it import that it imports."""
    if path is None:
        return False
    text = _text(path)
    beside = (_file(f"{name}.py", path.parent) for name in _imported(text))
    return _imports_in(text) or any(_imports_in(_text(file)) for file in beside if file)


def _imports_in(source: str) -> bool:
    return any(_matches("modules", name, whole=True) for name in _imported(source))


def _imported(source: str) -> Iterator[str]:
    """Yield the top names of what a text imports: `torch` for `import os, torch.nn as nn`."""
    for origin, names in IMPORT.findall(source):
        for name in (origin or names).split(","):
            yield name.split(" as ")[0].strip().split(".")[0]


def _file(name: str, folder: Path | None) -> Path | None:
    path = (folder or Path.cwd()) / name
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a word that can be no path
        return None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


@functools.cache
def _shapes(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(regex) for form in formats.load() for regex in getattr(form, key))


def _matches(key: str, text: str, *, whole: bool) -> bool:
    return any(shape.fullmatch(text) if whole else shape.match(text) for shape in _shapes(key))
