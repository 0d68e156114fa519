"""A marked line of code -> what its light bulb offers: edits that mend it, the proof, the whole answer."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from firstfault import fixes, launch_files
from firstfault.errors import FirstfaultError
from firstfault.lsp.edits import lines_of
from firstfault.lsp.runs import Mark, Run

DISMISS = "firstfault.dismiss"
RUN_VERIFICATION = "firstfault.runVerification"
OPEN_DIAGNOSIS = "firstfault.openDiagnosis"
QUICK_FIX = types.CodeActionKind.QuickFix
FIX_ALL = "source.fixAll.firstfault"
Marked = tuple[Run, Mark, types.Diagnostic]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A file's text as the editor has it now, and the address by which the editor knows it."""

    uri: str
    path: Path
    source: str
    version: int | None


def wanted(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Tell whether the editor asks for quick fixes; a kind includes its sub-kinds, and no kind asks for all."""
    return only is None or any(str(getattr(kind, "value", kind)) in ("", "quickfix") for kind in only)


def wants_all(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Tell whether the editor asks for one edit of the whole file, as it does on saving."""
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    return any(kind == FIX_ALL or FIX_ALL.startswith(f"{kind}.") for kind in kinds if kind)


def at(
    marked: Iterable[Marked],
    buffer: Buffer,
    commands: Sequence[str],
    near: Mapping[str, Sequence[Buffer]] | None = None,
) -> list[types.CodeAction]:
    """Return the actions for marked lines. `commands` are those of its own that the editor can run.

    `near` has, for a diagnosis, the other files in which the cause may stand.
    """
    actions: dict[str, types.CodeAction] = {}
    for run, mark, diagnostic in marked:
        offered = [*_edits(run, mark, buffer, (near or {}).get(run.id, ())), *_commands(run, buffer, commands)]
        for action in offered:
            actions.setdefault(action.title, action).diagnostics = [diagnostic]
    return list(actions.values())


def _edits(run: Run, mark: Mark, buffer: Buffer, near: Sequence[Buffer]) -> Iterator[types.CodeAction]:
    """Yield the code fixes that change this text, else the one other text in which the cause can stand.

    The edit itself is computed when one is chosen. The first that applies is the preferred one.
    """
    fix = run.diagnosis.fix
    if mark.role == "remedy":
        yield from _launch_edit(run, mark, buffer)
    if mark.role != "initiating" or mark.in_log:
        return
    log, preferred = said(run), True
    for code in fix.code_fixes if fix else ():
        target: Buffer | None = buffer
        if changed(code.id, buffer.source, mark.line + 1, log) is None:
            able = [other for other in near if changed(code.id, other.source, None, log) is not None]
            target = able[0] if len(able) == 1 else None
        if target is None:
            continue
        info = fixes.describe(code.id)
        where = "" if target is buffer else f" in {target.path.name}"
        yield types.CodeAction(
            title=info.title + where + ("" if info.safety == "safe" else " (needs a look)"),
            kind=QUICK_FIX,
            is_preferred=preferred,
            data={
                "fix": code.id,
                "uri": target.uri,
                "id": run.id,
                "line": mark.line if target is buffer else None,
            },
        )
        preferred = False


def _launch_edit(run: Run, mark: Mark, buffer: Buffer) -> Iterator[types.CodeAction]:
    """Yield the edit of a launch file that its mark speaks of."""
    info = launch_files.FIXES[mark.fix]
    if launch_files.apply(info.id, buffer.path, buffer.source) != buffer.source:
        yield types.CodeAction(
            title=info.title + ("" if info.safety == "safe" else " (needs a look)"),
            kind=QUICK_FIX,
            is_preferred=info.safety == "safe",
            data={"fix": info.id, "uri": buffer.uri, "id": run.id, "line": mark.line},
        )


def said(run: Run) -> str:
    """Return what the log says of the cause, from which some fixes take names."""
    return "\n".join(item.text for item in run.diagnosis.evidence if item.role != "context")


def _commands(run: Run, buffer: Buffer, commands: Sequence[str]) -> Iterator[types.CodeAction]:
    verify = run.diagnosis.verify
    if verify and RUN_VERIFICATION in commands:
        yield _command("Run verification in terminal", RUN_VERIFICATION, {"id": run.id, "command": verify.command})
    if OPEN_DIAGNOSIS in commands:
        yield _command("Open diagnosis", OPEN_DIAGNOSIS, {"id": run.id})
    yield _command("Dismiss this diagnosis", DISMISS, {"id": run.id, "uri": buffer.uri})


def _command(title: str, command: str, argument: object) -> types.CodeAction:
    return types.CodeAction(title=title, kind=QUICK_FIX, command=types.Command(title, command, arguments=[argument]))


def resolve(
    action: types.CodeAction, run: Run | None, buffer: Buffer, codec: PositionCodec, *, versioned: bool
) -> types.CodeAction:
    """Fill in an action's edit, computed against the buffer as it is now; raise when it does not apply any more."""
    data = action.data if isinstance(action.data, dict) else {}
    marks = [m for m in run.marks if m.path == buffer.path and m.role == "initiating"] if run else []
    line = marks[0].line if marks else data.get("line")
    at_line = line + 1 if isinstance(line, int) else None
    fix = str(data.get("fix"))
    if fix in launch_files.FIXES:
        edited = launch_files.apply(fix, buffer.path, buffer.source)
        new = edited if edited != buffer.source else None
    else:
        new = changed(fix, buffer.source, at_line, said(run) if run else "")
    if new is None:
        raise FirstfaultError(f"{buffer.path.name} has changed: '{action.title}' does not apply any more")
    action.edit = _workspace_edit(buffer, new, codec, versioned=versioned)
    return action


def resolves(client: types.ClientCapabilities) -> bool:
    """Tell whether the editor asks for an action's edit when it is chosen; else it must come with the action."""
    document = client.text_document.code_action if client.text_document else None
    return bool(document and document.resolve_support and "edit" in document.resolve_support.properties)


def versioned(client: types.ClientCapabilities) -> bool:
    """Tell whether the editor refuses an edit of a text that has changed meanwhile."""
    workspace = client.workspace.workspace_edit if client.workspace else None
    return bool(workspace and workspace.document_changes)


def whole(buffer: Buffer, new: str, codec: PositionCodec, title: str, *, with_version: bool) -> types.CodeAction:
    """Return an action that mends all of a file at once."""
    action = types.CodeAction(title=title, kind=FIX_ALL)
    action.edit = _workspace_edit(buffer, new, codec, versioned=with_version)
    return action


def _workspace_edit(buffer: Buffer, new: str, codec: PositionCodec, *, versioned: bool) -> types.WorkspaceEdit:
    edits = [_edit(edit, buffer.source, codec) for edit in fixes.edits(buffer.source, new)]
    if not versioned:
        return types.WorkspaceEdit(changes={buffer.uri: edits})
    document = types.OptionalVersionedTextDocumentIdentifier(buffer.uri, buffer.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(edits))])


def _edit(edit: fixes.Edit, source: str, codec: PositionCodec) -> types.TextEdit:
    """Return an edit of whole lines; one that reaches the end of a text without a last newline stops there."""
    lines = lines_of(source)
    end = types.Position(edit.end_line, 0)
    if edit.end_line >= len(lines):
        end = types.Position(len(lines) - 1, codec.client_num_units(lines[-1]))
    return types.TextEdit(types.Range(types.Position(edit.start_line, 0), end), edit.new_text)


@functools.lru_cache(maxsize=64)
def changed(fix: str, source: str, line: int | None, log: str = "") -> str | None:
    """Return the text with a fix applied; None when the fix leaves it alone or cannot read it."""
    try:
        new = fixes.apply(fix, source, line, log)
    except FirstfaultError:
        return None
    return None if new == source else new
