"""Which function answers which request, and the server that is run."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from firstfault import fixes, lint, patterns, prefilter, relevance, verification
from firstfault.errors import FirstfaultError
from firstfault.lsp import actions, diagnosing, diagnostics, exports, hover, requests
from firstfault.lsp.protocol import answering, is_news
from firstfault.lsp.runs import Run
from firstfault.lsp.session import FirstfaultServer, path_of

LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}
SWITCH = 0.0005  # seconds (Python's own: 0.005) until a thread that reads lets the one that answers go on
log = logging.getLogger("firstfault")


server = FirstfaultServer()


@server.feature(types.INITIALIZE)
def initialize(ls: FirstfaultServer, params: types.InitializeParams) -> None:
    """Take what the editor says about trust and about the commands that it can run by itself."""
    options = params.initialization_options
    if isinstance(options, dict):
        ls.trusted = options.get("trusted") is True
        ls.commands = tuple(map(str, options.get("commands") or ()))


@server.feature(types.INITIALIZED)
async def initialized(ls: FirstfaultServer, _params: types.InitializedParams) -> None:
    """Read settings and signatures before the first question comes."""
    await configure(ls)
    # a fault is told when a diagnosis meets it; an editor may also leave before this ends
    with contextlib.suppress(FirstfaultError, asyncio.CancelledError):
        _, broken = await asyncio.to_thread(ls.signatures.load, ls.trusted_folders())
        ls.complain(broken)


@server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
async def configuration_changed(ls: FirstfaultServer, _params: types.DidChangeConfigurationParams) -> None:
    """Read the settings again."""
    await configure(ls)


async def configure(ls: FirstfaultServer) -> None:
    """Ask the editor for `firstfault.logLevel`, the only setting that the server has."""
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    items = [types.ConfigurationItem(section="firstfault")]
    try:
        settings = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        log.warning("the editor has no settings to give: %s", error)
        return
    level = settings[0].get("logLevel") if settings and isinstance(settings[0], dict) else None
    log.setLevel(LEVELS.get(str(level), logging.WARNING))


@server.command("firstfault.diagnose")
async def diagnose(ls: FirstfaultServer, *arguments: Any) -> dict[str, Any]:
    """Diagnose a text or files; the answer is the contract's JSON."""
    async with answering(ls):
        base = next(iter(ls.folders()), None)
        return await diagnosing.diagnose(ls, requests.diagnose(arguments, base))


@server.command("firstfault.diagnoseCommand")
async def diagnose_command(ls: FirstfaultServer, *arguments: Any) -> dict[str, Any] | None:
    """Diagnose what a command of a terminal printed; null where it is no failed training run."""
    async with answering(ls):
        base = next(iter(ls.folders()), None)
        return await diagnosing.diagnose_command(ls, requests.diagnose(arguments, base))


@server.command("firstfault.startsTraining")
async def starts_training(ls: FirstfaultServer, *arguments: Any) -> bool:
    """Tell whether a command line starts a training run, whose output could not be seen."""
    async with answering(ls):
        command, cwd = requests.command_line(arguments, "firstfault.startsTraining")
        return await asyncio.to_thread(relevance.starts_training, command, Path(cwd) if cwd else None)


@server.command("firstfault.clear")
async def clear(ls: FirstfaultServer, *arguments: Any) -> None:
    """Forget the diagnosis of a command that has succeeded since."""
    async with answering(ls):
        ls.publish(ls.runs.clear(requests.run_key(*requests.command_line(arguments, "firstfault.clear"))))


@server.command("firstfault.trust")
async def trust(ls: FirstfaultServer, *_arguments: Any) -> None:
    """Use the workspace's own signatures from now on: the person has said that they trust it."""
    async with answering(ls):
        ls.trusted = True
        _, broken = await asyncio.to_thread(ls.signatures.load, ls.trusted_folders())
        ls.complain(broken)


@server.command(actions.DISMISS)
async def dismiss(ls: FirstfaultServer, *arguments: Any) -> None:
    """Forget one diagnosis, those that mark a file, or all."""
    async with answering(ls):
        name, path = requests.named(arguments, actions.DISMISS)
        ls.publish(ls.runs.dismiss(lambda run: run.id == name if name else path is None or path in run.paths()))


@server.command("firstfault.verified")
async def verified(ls: FirstfaultServer, *arguments: Any) -> dict[str, Any]:
    """Read what the verification command printed; a diagnosis whose failure is gone ends with its marks."""
    async with answering(ls):
        name, code, output = requests.verified(arguments)
        run = ls.runs.get(name)
        if run is None or run.diagnosis.verify is None:
            raise FirstfaultError("this diagnosis is gone, or has no command that verifies it")
        seen = verification.outcome(run.diagnosis.verify, code, output)
        if seen.resolved:
            ls.publish(ls.runs.dismiss(lambda other: other is run))
        return {"resolved": seen.resolved, "said": seen.said}


@server.command("firstfault.report")
async def whole_report(ls: FirstfaultServer, *arguments: Any) -> str | None:
    """Return a diagnosis as Markdown, by its id or the latest; null when there is none (any more)."""
    async with answering(ls):
        name, opener = requests.report(arguments)
        run = ls.runs.get(name)
        return await asyncio.to_thread(exports.linked, run, opener, ls.documents()) if run else None


@server.command("firstfault.redactedReport")
async def redacted_report(ls: FirstfaultServer, *arguments: Any) -> dict[str, Any] | None:
    """Return a diagnosis for other people, and what was hidden in it."""
    return await _exported(ls, arguments, "firstfault.redactedReport", exports.report)


@server.command("firstfault.case")
async def case(ls: FirstfaultServer, *arguments: Any) -> dict[str, Any] | None:
    """Return input and answer as a file for an issue, and what was hidden in it."""
    return await _exported(ls, arguments, "firstfault.case", exports.case)


async def _exported(
    ls: FirstfaultServer, arguments: tuple[Any, ...], command: str, write: Callable[[Run], dict[str, Any]]
) -> dict[str, Any] | None:
    async with answering(ls):
        run = ls.runs.get(requests.named(arguments, command)[0])
        return await asyncio.to_thread(write, run) if run else None


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hovered(ls: FirstfaultServer, params: types.HoverParams) -> types.Hover | None:
    """Explain a marked line, or a line of a diagnosed log."""
    path = path_of(params.text_document.uri)
    return hover.at(ls.runs, path, params.position.line) if path else None


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions([actions.QUICK_FIX, actions.FIX_ALL], resolve_provider=True),
)
async def code_actions(ls: FirstfaultServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer what helps with the marked lines of a range."""
    uri, span = params.text_document.uri, params.range
    path = path_of(uri)
    if path and actions.wants_all(params.context.only):
        return await _all_at_once(ls, ls.buffer(uri, path))
    if path is None or not actions.wanted(params.context.only):
        return []
    lines, codec = range(span.start.line, span.end.line + 1), ls.workspace.position_codec
    pairs = [(run, mark) for run, mark in ls.runs.marks(path) if mark.line in lines]
    marked = [(run, mark, diagnostics.diagnostic(run, mark, ls.uri_of, codec)) for run, mark in pairs]
    buffer = ls.buffer(uri, path)
    near = {run.id: [ls.buffer(ls.uri_of(other), other) for other in run.sources] for run, _ in pairs}
    found = await asyncio.to_thread(_offered, ls, marked, lines, buffer, near)
    return found if actions.resolves(ls.client_capabilities) else [await _resolved(ls, a, buffer) for a in found]


async def _all_at_once(ls: FirstfaultServer, buffer: actions.Buffer) -> list[types.CodeAction]:
    """Offer one edit that mends all of a file that can safely be mended."""
    try:
        new = await asyncio.to_thread(lint.mended, buffer.source)
    except FirstfaultError:
        return []  # half-typed
    if new == buffer.source:
        return []
    title, versioned = "Mend what will break a run", actions.versioned(ls.client_capabilities)
    return [actions.whole(buffer, new, ls.workspace.position_codec, title, with_version=versioned)]


def _offered(
    ls: FirstfaultServer,
    marked: list[actions.Marked],
    lines: range,
    buffer: actions.Buffer,
    near: dict[str, list[actions.Buffer]],
) -> list[types.CodeAction]:
    """Collect the actions for a diagnosis and those for what would fail; the same edit is offered once."""
    found = actions.at(marked, buffer, ls.commands, near)
    titles = {action.title for action in found}
    linted = ls.linting.offered(buffer.path, lines, buffer, ls.workspace.position_codec)
    return found + [action for action in linted if action.title not in titles]


@server.feature(types.CODE_ACTION_RESOLVE)
async def resolve_code_action(ls: FirstfaultServer, action: types.CodeAction) -> types.CodeAction:
    """Compute the edit of the chosen action."""
    async with answering(ls):
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        path = path_of(uri) if isinstance(uri, str) else None
        return await _resolved(ls, action, ls.buffer(uri, path)) if isinstance(uri, str) and path else action


async def _resolved(ls: FirstfaultServer, action: types.CodeAction, buffer: actions.Buffer) -> types.CodeAction:
    if not isinstance(action.data, dict):
        return action  # a command
    run, codec = ls.runs.get(str(action.data.get("id"))), ls.workspace.position_codec
    versioned = actions.versioned(ls.client_capabilities)
    return await asyncio.to_thread(actions.resolve, action, run, buffer, codec, versioned=versioned)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(ls: FirstfaultServer, params: types.DidOpenTextDocumentParams) -> None:
    """Find the marked lines in the text as the editor has it."""
    path = path_of(params.text_document.uri)
    ls.recheck([path] if path else [])
    if path:
        ls.linting.later(ls, path, params.text_document.text, 0)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: FirstfaultServer, params: types.DidCloseTextDocumentParams) -> None:
    """Take back what was said of the text that one typed."""
    path = path_of(params.text_document.uri)
    if path:
        ls.linting.forget(path)
        ls.publish([path])


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls: FirstfaultServer, params: types.DidChangeTextDocumentParams) -> None:
    """Let marks follow their lines, and end with them."""
    uri = params.text_document.uri
    path = path_of(uri)
    if path:
        source = ls.workspace.get_text_document(uri).source
        ls.edited(path, source)
        ls.linting.later(ls, path, source)


@server.feature(types.SHUTDOWN)
async def shutdown(ls: FirstfaultServer, _params: None) -> None:
    """Stop what is being read before the editor goes."""
    await ls.protocol.cancel_all()


def main() -> None:
    """Serve over standard input and output. Only the protocol may write to the latter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(is_news)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.WARNING)  # below that it logs whole messages
    for sentence in filter(None, (prefilter.MISSING, patterns.MISSING, fixes.missing())):
        log.warning(sentence)
    sys.setswitchinterval(SWITCH)
    wire, sys.stdout = sys.stdout.buffer, sys.stderr
    server.start_io(stdout=wire)
