"""Where a fix belongs when no line of code is marked, and in the files that start runs -> marks at those places."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from firstfault import fixes, launch_files
from firstfault.diagnosis import Diagnosis
from firstfault.errors import FirstfaultError
from firstfault.lsp.edits import lines_of
from firstfault.lsp.frames import NOT_SOURCES, Files
from firstfault.lsp.runs import Mark

SCRIPT = re.compile(r"(?<![\w./-])[\w./-]+\.py\b")
WALK_SECONDS = 0.25
MOST = 5  # launch files that one diagnosis marks
NAMES = re.compile(
    r".*\.(sh|bash|sbatch|slurm|sub|job|ya?ml|env)|\.env|launch\.json|tasks\.json|.*(ds|deepspeed).*\.json"
)


def of(
    diagnosis: Diagnosis, command: str | None, launch_fixes: Sequence[str], files: Files, marked: Iterable[Mark]
) -> list[Mark]:
    """Return the marks of a diagnosis's remedies: in its script when no code is marked, and in launch files."""
    found = list(_launch(launch_fixes, files)) if launch_fixes else []
    if not any(mark.role == "initiating" and not mark.in_log for mark in marked):
        found += _script(diagnosis, command, files)
    return found


def _script(diagnosis: Diagnosis, command: str | None, files: Files) -> Iterator[Mark]:
    """Yield the place in the command's own script that the first fix which applies there would change."""
    log = "\n".join(item.text for item in diagnosis.evidence if item.role != "context")
    for name in SCRIPT.findall(command or ""):
        path = next((folder / name for folder in files.near if (folder / name).is_file()), None)
        if path is None:
            continue
        lines = files.lines(path)
        for code in diagnosis.fix.code_fixes if diagnosis.fix else ():
            line = _first_change(code.id, "\n".join(lines), log)
            if line is not None and line < len(lines):
                yield Mark(path, line, "initiating", diagnosis.summary, lines[line].rstrip())
                return


def _first_change(fix: str, source: str, log: str) -> int | None:
    """Return the line that a fix changes first, imports left aside; None when it changes nothing."""
    try:
        edits = fixes.edits(source, fixes.apply(fix, source, None, log))
    except FirstfaultError:
        return None
    lines = lines_of(source)
    own = [e for e in edits if not e.new_text.lstrip().startswith(("import ", "from "))] or edits
    at = own[0].start_line if own else None
    while at is not None and at < len(lines) - 1 and not lines[at].strip():
        at += 1
    return at


def _launch(wanted: Sequence[str], files: Files) -> Iterator[Mark]:
    """Yield the lines of launch files that a fix would change, in the workspace and beside the run."""
    count = 0
    for path in _launch_files([*files.near, *files.folders]):
        text = "\n".join(files.lines(path))
        for fix in wanted:
            edits = fixes.edits(text, launch_files.apply(fix, path, text))
            if edits:
                lines = lines_of(text)
                at = min(edits[0].start_line, len(lines) - 1)
                yield Mark(path, at, "remedy", launch_files.FIXES[fix].title, lines[at].rstrip(), fix=fix)
                count += 1
        if count >= MOST:
            return


def _launch_files(folders: Iterable[Path]) -> Iterator[Path]:
    end = time.monotonic() + WALK_SECONDS
    seen: set[Path] = set()
    for root in folders:
        for folder, below, names in os.walk(root):
            below[:] = [b for b in below if b not in NOT_SOURCES and (not b.startswith(".") or b == ".vscode")]
            for name in sorted(names):
                path = Path(folder, name)
                if path not in seen and NAMES.fullmatch(name):
                    seen.add(path)
                    yield path
            if time.monotonic() > end:
                return
