"""How the server takes to workspaces and editors of other kinds: each test is a session of its own."""

from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

CASES = Path(__file__).parent / "lsp"
SERVER = ClientServerConfig(server_command=[sys.executable, "-m", "firstfault", "lsp"], server_env=dict(os.environ))
SIGNATURE = """
title = "The license server said no"
provenance = "run"
meaning = "The simulator found no free license."
fix = ["Ask for a license."]
references = ["https://example.com/licenses"]

[[patterns]]
regex = '''NoLicense: all \\d+ seats are taken'''
role = "initiator"

[[matches]]
log = "NoLicense: all 4 seats are taken"

[[ignores]]
log = "NoLicense: 3 seats are free"
because = "there are seats"
"""
TEXT = """Traceback (most recent call last):
  File "/srv/job/train.py", line 1, in <module>
    simulate()
NoLicense: all 4 seats are taken
"""

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def session(
    folder: Path | None, capabilities: types.ClientCapabilities, **options: object
) -> AsyncIterator[LanguageClient]:
    client = await SERVER.start()
    assert isinstance(client, LanguageClient)
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)] if folder else None
    hello = types.InitializeParams(capabilities, workspace_folders=folders, initialization_options=options or None)
    await client.initialize_session(hello)
    yield client
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]


async def diagnose(client: LanguageClient, **arguments: object) -> dict[str, Any]:
    params = types.ExecuteCommandParams("firstfault.diagnose", [{"origin": "test", **arguments}])
    answer: Any = await client.workspace_execute_command_async(params)
    return dict(answer)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    signatures = tmp_path / ".firstfault" / "signatures" / "tools"
    signatures.mkdir(parents=True)
    (signatures / "license.toml").write_text(SIGNATURE)
    (signatures / "broken.toml").write_text("titel = 1")
    return tmp_path


async def test_a_trusted_workspace_has_its_own_signatures(project: Path) -> None:
    async with session(project, client_capabilities("visual-studio-code"), trusted=True) as client:
        for _ in range(2):
            answer = await diagnose(client, text=TEXT)
            assert answer["cause"]["id"] == "tools/license"
        (message,) = client.messages
        assert "broken.toml" in message.message and "titel" in message.message
        assert message.type == types.MessageType.Warning


async def test_an_untrusted_workspace_has_none(project: Path) -> None:
    async with session(project, client_capabilities("visual-studio-code")) as client:
        answer = await diagnose(client, text=TEXT)
        assert answer["cause"]["id"] != "tools/license"
        assert client.messages == []


async def test_neovim_without_a_workspace_marks_the_script_beside_the_log(tmp_path: Path) -> None:
    shutil.copy(CASES / "context" / "train.txt", tmp_path / "train.py")
    shutil.copy(CASES / "context" / "job.log", tmp_path)
    script = (tmp_path / "train.py").as_uri()
    async with session(None, client_capabilities("neovim")) as client:
        await diagnose(client, paths=[str(tmp_path / "job.log")])
        assert [mark.range.start.line + 1 for mark in client.diagnostics[script]] == [52]
        here = types.Range(types.Position(51, 0), types.Position(51, 0))
        params = types.CodeActionParams(types.TextDocumentIdentifier(script), here, types.CodeActionContext([]))
        actions = await client.text_document_code_action_async(params) or []
        # an editor that has not said that it knows our commands is offered none that only it could run
        fix, dismiss = (action.title for action in actions)
        assert fix.startswith("Set the start method once") and dismiss == "Dismiss this diagnosis"


async def test_an_editor_without_extras_gets_edits_at_once_and_no_progress_bar(tmp_path: Path) -> None:
    shutil.copy(CASES / "context" / "train.txt", tmp_path / "train.py")
    script = (tmp_path / "train.py").as_uri()
    async with session(tmp_path, types.ClientCapabilities()) as client:
        await diagnose(client, text=(CASES / "context" / "job.log").read_text())
        here = types.Range(types.Position(51, 0), types.Position(51, 0))
        params = types.CodeActionParams(types.TextDocumentIdentifier(script), here, types.CodeActionContext([]))
        actions = await client.text_document_code_action_async(params) or []
        (fix,) = [a for a in actions if isinstance(a, types.CodeAction) and not a.command]
        assert fix.edit and fix.edit.changes and list(fix.edit.changes) == [script]


async def test_leaving_while_a_log_is_read_ends_the_server(tmp_path: Path) -> None:
    log = tmp_path / "endless.log.gz"
    log.write_bytes(gzip.compress(b"2026-11-30 14:00:00,258 INFO step 12 loss 0.5000\n" * 20_000) * 1000)
    async with session(None, client_capabilities("visual-studio-code")) as client:
        reading = asyncio.ensure_future(diagnose(client, paths=[str(log)]))
        while not any(client.progress_reports.values()):
            await asyncio.sleep(0.01)
        await asyncio.wait_for(client.shutdown_session(), 10)
        assert client._server and client._server.returncode == 0
        with pytest.raises(JsonRpcException, match="Cancel"):
            await reading
        client.capabilities = None  # the session is over, nothing is left to shut down
