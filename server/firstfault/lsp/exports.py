"""A diagnosis as a document: for the editor with links, for other people without what is private."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from firstfault import __version__, document, evidence_file, fixes, redaction
from firstfault.lsp.actions import changed
from firstfault.lsp.runs import Mark, Run

LARGEST_INPUT = 2_000_000  # characters of a log that a case file holds; of longer ones it holds what was read in them


def linked(run: Run, opener: str | None, sources: Mapping[Path, str]) -> str:
    """Return the document of a diagnosis; `opener` is the address that opens `[path, line]`, given as its query."""

    def link(path: str, line: int) -> str | None:
        return f"{opener}?{quote(json.dumps([path, line]))}" if opener else None

    mark = _broken(run)
    spot = (mark.path, mark.line + 1) if mark else None
    return document.write(run.diagnosis, run.evidence, link, spot, _change(run, mark, sources) if mark else None)


def report(run: Run) -> dict[str, Any]:
    """Return the document for other people, and what was hidden in it."""
    redactor = redaction.for_this_machine()
    return _told(redactor.hide(document.write(run.diagnosis, run.evidence)), redactor)


def case(run: Run) -> dict[str, Any]:
    """Return input and answer as the text of a JSON file for an issue, and what was hidden in it."""
    redactor = redaction.for_this_machine()
    request = run.request
    known = {"command": request.command, "exit_code": request.exit_code, "cwd": str(request.cwd or "")}
    whole = {
        "firstfault_case": 1,
        "version": __version__,
        "wrong": "say here what is wrong: which rank broke it, and why",
        "run": known,
        "logs": _logs(run),
        "answer": run.diagnosis.as_json(),
    }
    return _told(json.dumps(redactor.value(whole), indent=1, ensure_ascii=False) + "\n", redactor)


def _told(text: str, redactor: redaction.Redactor) -> dict[str, Any]:
    hidden = redactor.hidden()
    return {"text": text, "hidden": [asdict(item) for item in hidden], "told": redaction.told(hidden)}


def _logs(run: Run) -> list[dict[str, Any]]:
    """Return what was read: whole while it is short, else what the program kept of it."""
    texts = [(None, run.request.text)] if run.request.text is not None else []
    sources = [s.path for s in run.evidence.sources if s.path]
    size = sum(len(text) for _, text in texts) + sum(map(_size, sources))
    if size > LARGEST_INPUT:
        return [{"evidence": evidence_file.as_json(run.evidence)}]
    return [{"path": path, "text": text} for path, text in texts] + [{"path": s, "text": _read(s)} for s in sources]


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        return f"(cannot be read any more: {error.strerror})"


def _broken(run: Run) -> Mark | None:
    return next((mark for mark in run.marks if mark.role == "initiating" and not mark.in_log), None)


def _change(run: Run, mark: Mark, sources: Mapping[Path, str]) -> document.Change | None:
    """Return what the preferred fix makes of the file as it is now."""
    fix = run.diagnosis.fix
    if not fix or not fix.code_fix:
        return None
    before = sources.get(mark.path)
    if before is None:
        before = _read(str(mark.path))
    after = changed(fix.code_fix, before, mark.line + 1)
    return document.Change(fixes.describe(fix.code_fix).title, mark.path.name, before, after) if after else None
