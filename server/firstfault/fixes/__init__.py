"""Edits of the user's code, one LibCST codemod per file; a fix's id is its file's name with dashes.

In: the source text and, where a diagnosis knows it, the line. Out: the new text, or the same text when unsure.
LibCST costs about 0.2 s to import, so only `apply` imports it; `describe` reads a fix's constants with `ast`.
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import importlib.machinery
import importlib.util
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firstfault.diagnosis import Safety
from firstfault.errors import FirstfaultError

if TYPE_CHECKING:
    import libcst as cst

_FOLDER = Path(__file__).parent
IDS = frozenset(path.stem.replace("_", "-") for path in _FOLDER.glob("*.py") if not path.stem.startswith("_"))

_CONSTANTS = ("TITLE", "SAFETY", "SAFE_WHEN")
# An editor's line: ends at \n, \r\n or \r; str.splitlines also breaks at form feeds and \u2028
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class FixInfo:
    """What a menu shows of a fix; `safety` is "safe" or "needs-a-look"."""

    id: str
    title: str
    safety: Safety
    safe_when: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the whole lines `start_line` (0-based) up to but not including `end_line` by `new_text`."""

    start_line: int
    end_line: int
    new_text: str


@functools.cache
def describe(fix_id: str) -> FixInfo:
    """Tell a fix's title and safety, without importing it."""
    tree = ast.parse(_path(fix_id).read_text(encoding="utf-8"))
    found = {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in _CONSTANTS
    }
    return FixInfo(fix_id, *(found[name] for name in _CONSTANTS))


@functools.cache
def missing() -> str | None:
    """Say why no fix can be made here; None when they can. Looks for LibCST's compiled half without importing it."""
    package = importlib.util.find_spec("libcst")
    folders = package.submodule_search_locations if package else None
    if folders and importlib.machinery.PathFinder.find_spec("libcst.native", folders):
        return None
    return "LibCST has no build for this Python, so no code is edited: make the change by hand, or use another CPython."


def apply(fix_id: str, source: str, line: int | None = None, said: str = "") -> str:
    """Return the source with the fix made, unchanged when the fix does not apply or is not sure to be right.

    `line` (1-based) is where the fix is wanted; None means anywhere in the file. `said` is what the failed run printed:
    a few fixes take names from it.
    """
    module_name = _path(fix_id).stem
    if sentence := missing():
        raise FirstfaultError(f"{fix_id}: {sentence}")
    try:
        import libcst  # noqa: PLC0415

        importlib.import_module("libcst.native")  # its compiled half: what cannot be loaded is found out here
    except ImportError as error:
        raise FirstfaultError(f"{fix_id}: LibCST cannot be loaded by this Python: {error}") from error

    from firstfault.fixes._refer import Unclear  # noqa: PLC0415

    bom, text = (_BOM, source[1:]) if source.startswith(_BOM) else ("", source)
    try:
        module = parsed(text)
    except libcst.ParserSyntaxError as error:
        raise FirstfaultError(
            f"{fix_id} cannot change this file: line {error.editor_line} is not valid Python."
        ) from error
    try:
        fix = importlib.import_module(f"{__name__}.{module_name}")
        reads_log = getattr(fix, "READS_LOG", False)
        fixed = fix.transform(module, line, said) if reads_log else fix.transform(module, line)
        # LibCST drops e.g. a lone \r at the end of a file: what it cannot give back as it was, it must not edit
        if fixed is module or module.code != text:
            return source
        return bom + fixed.code if _compiles(fixed.code) or not _compiles(text) else source
    except Unclear:
        return source
    except RecursionError as error:
        raise FirstfaultError(f"{fix_id} cannot change this file: an expression in it is nested too deeply.") from error


@functools.lru_cache(maxsize=4)
def parsed(text: str) -> cst.Module:
    """Parse a text, once for all the fixes that are tried on it; nodes are never changed in place."""
    import libcst  # noqa: PLC0415

    return libcst.parse_module(text)


def _compiles(code: str) -> bool:
    """Tell whether Python takes the code: the last guard against an edit that breaks a file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def edits(old: str, new: str) -> list[Edit]:
    """Return the smallest whole-line replacements that turn `old` into `new`."""
    before, after = _LINE.findall(old), _LINE.findall(new)
    same = 0
    for a, b in zip(before, after, strict=False):
        if a != b:
            break
        same += 1
    matcher = difflib.SequenceMatcher(None, before[same:], after[same:], autojunk=False)
    return [
        Edit(same + i1, same + i2, "".join(after[same + j1 : same + j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def _path(fix_id: str) -> Path:
    """Return the file of a fix."""
    if fix_id not in IDS:
        raise FirstfaultError(f"There is no fix named {fix_id!r}; the fixes are: {', '.join(sorted(IDS))}.")
    return _FOLDER / f"{fix_id.replace('-', '_')}.py"
