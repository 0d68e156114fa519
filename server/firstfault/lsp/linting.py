"""Diagnostics as one types: lint the text when the typing pauses, off the protocol's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.workspace import PositionCodec

from firstfault import fixes, lint
from firstfault.errors import FirstfaultError
from firstfault.lint import Finding
from firstfault.lsp import actions
from firstfault.lsp.diagnostics import SOURCE
from firstfault.lsp.edits import lines_of

if TYPE_CHECKING:
    from firstfault.lsp.session import FirstfaultServer

PAUSE = 0.3  # seconds without a key


class Linting:
    """What the open files' texts say; the latest text of a file cancels the work on the one before."""

    def __init__(self) -> None:
        self._found: dict[Path, tuple[str, list[Finding]]] = {}
        self._waiting: dict[Path, asyncio.Task[None]] = {}

    def forget(self, path: Path) -> None:
        """Drop what is known of a file that was closed."""
        self._found.pop(path, None)
        waiting = self._waiting.pop(path, None)
        if waiting:
            waiting.cancel()

    def later(self, ls: FirstfaultServer, path: Path, source: str, pause: float = PAUSE) -> None:
        """Lint a text after a pause, unless a newer one comes before."""
        if path.suffix != ".py":
            return
        waiting = self._waiting.pop(path, None)
        if waiting:
            waiting.cancel()
        self._waiting[path] = asyncio.get_running_loop().create_task(self._lint(ls, path, source, pause))

    async def _lint(self, ls: FirstfaultServer, path: Path, source: str, pause: float) -> None:
        await asyncio.sleep(pause)
        found = await asyncio.to_thread(_findings, source)
        before = self._found.get(path, ("", []))[1]
        if found is None:
            return  # half-typed: what was found in the last whole text stays
        self._found[path] = (source, found)
        if found or before:
            ls.publish([path])

    def diagnostics(
        self, path: Path, codec: PositionCodec, told: Container[tuple[int, str | None]]
    ) -> list[types.Diagnostic]:
        """Return a file's findings as the editor shows them, but for those that a diagnosis tells already."""
        source, found = self._found.get(path, ("", []))
        lines = lines_of(source)
        return [_diagnostic(f, lines, codec) for f in found if (f.line - 1, f.cause) not in told]

    def offered(
        self, path: Path, wanted: range, buffer: actions.Buffer, codec: PositionCodec
    ) -> Iterator[types.CodeAction]:
        """Yield the edits that mend the findings in some lines, counted from 0."""
        source, found = self._found.get(path, ("", []))
        lines = lines_of(source)
        for finding in found:
            if finding.line - 1 not in wanted or not finding.fix:
                continue
            if actions.changed(finding.fix, buffer.source, finding.line) is None:
                continue
            info = fixes.describe(finding.fix)
            yield types.CodeAction(
                title=info.title + ("" if info.safety == "safe" else " (needs a look)"),
                kind=actions.QUICK_FIX,
                is_preferred=info.safety == "safe",
                diagnostics=[_diagnostic(finding, lines, codec)],
                data={"fix": finding.fix, "uri": buffer.uri, "id": "", "line": finding.line - 1},
            )


def _findings(source: str) -> list[Finding] | None:
    try:
        return lint.lint(source)
    except FirstfaultError:
        return None


def _diagnostic(finding: Finding, lines: Sequence[str], codec: PositionCodec) -> types.Diagnostic:
    start = _position(finding.line, finding.column, lines, codec)
    end = _position(finding.end_line, finding.end_column, lines, codec)
    data = {"causeId": finding.cause, "codeFixes": [finding.fix] if finding.fix else []}
    return types.Diagnostic(
        types.Range(start, end),
        finding.message,
        types.DiagnosticSeverity.Warning,
        finding.rule,
        source=SOURCE,
        data=data,
    )


def _position(line: int, column: int, lines: Sequence[str], codec: PositionCodec) -> types.Position:
    text = lines[line - 1] if line <= len(lines) else ""
    return types.Position(
        line - 1, codec.client_num_units(text[:column].rstrip() if column > len(text) else text[:column])
    )
