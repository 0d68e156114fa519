"""The closed loop on real projects: a run fails, its log is diagnosed, the light bulb mends it, the proof holds.

Each folder of tests/loop is a project; its README tells what case.toml says. Nothing is done by hand between the first
run and the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
LOOP = Path(__file__).parent / "loop"
LIMIT = 400  # seconds for one run; a machine with other work on it needs most of them
COMMANDS = ["firstfault.runVerification", "firstfault.openDiagnosis"]
SERVER = ClientServerConfig([sys.executable, "-m", "firstfault", "lsp"], make_test_lsp_client, dict(os.environ))

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Project:
    """What case.toml says of a project."""

    name: str
    command: str
    cause: str
    fix: str
    ranks: list[int] | None = None
    file: str = "train.py"
    needs: str = ""
    quick: bool = False


def projects() -> list[Any]:
    read = [
        Project(path.parent.name, **tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(LOOP.glob("*/case.toml"))
    ]
    missed = tomllib.loads((LOOP / "known_misses.toml").read_text(encoding="utf-8"))
    assert set(missed) <= {project.name for project in read}
    return [pytest.param(p, id=p.name, marks=list(_marks(p, missed.get(p.name)))) for p in read]


def _marks(project: Project, miss: str | None) -> Iterator[Any]:
    if not project.quick:
        yield pytest.mark.slow
    if miss:  # not strict: what is missed may depend on which process is faster
        yield pytest.mark.xfail(reason=miss, strict=False)


def environment(project: Project) -> dict[str, str]:
    """Return the environment of a run: the locked Python with torch where a project needs it, this one elsewhere."""
    venv = os.environ.get("FIRSTFAULT_LOOP_VENV", str(ROOT / ".venv-loop"))
    folder = Path(venv, "bin") if project.needs else Path(sys.executable).parent
    if project.needs and not (folder / "python").exists():
        subprocess.run([sys.executable, ROOT / "scripts" / "loop_environment.py"], check=True)
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **quiet, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}


async def run(command: str, folder: Path, env: dict[str, str]) -> tuple[int, str]:
    """Run a command as a terminal would, and end whatever it leaves behind."""
    log = folder / "run.log"
    with log.open("wb") as stream:
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", command, cwd=folder, env=env, stdout=stream, stderr=stream, start_new_session=True
        )
        try:
            code = await asyncio.wait_for(process.wait(), LIMIT)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return code, log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loop")


@pytest_lsp.fixture(config=SERVER, scope="module")  # type: ignore[untyped-decorator]
async def editor(lsp_client: LanguageClient, workspace: Path) -> AsyncIterator[None]:
    await lsp_client.initialize_session(
        types.InitializeParams(
            client_capabilities("visual-studio-code"),
            workspace_folders=[types.WorkspaceFolder(workspace.as_uri(), workspace.name)],
            initialization_options={"commands": COMMANDS},
        )
    )
    yield
    await lsp_client.shutdown_session()


class Editor:
    """Does in an editor what a user does after a failed run."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder

    async def ask(self, command: str, argument: dict[str, object]) -> Any:
        return await self.client.workspace_execute_command_async(types.ExecuteCommandParams(command, [argument]))

    async def edits(self) -> dict[str, types.CodeAction]:
        """Return what the light bulbs of the marked lines offer, by the fix's id; the preferred one is first."""
        found: dict[str, types.CodeAction] = {}
        for uri, marks in self.client.diagnostics.items():
            if not uri.endswith(".py") or not uri.startswith(self.folder.as_uri()):
                continue
            for mark in marks:
                context = types.CodeActionContext([mark])
                params = types.CodeActionParams(types.TextDocumentIdentifier(uri), mark.range, context)
                for action in await self.client.text_document_code_action_async(params) or []:
                    if isinstance(action, types.CodeAction) and isinstance(action.data, dict):
                        found.setdefault(str(action.data["fix"]), action)
        return dict(sorted(found.items(), key=lambda item: not item[1].is_preferred))

    async def choose(self, action: types.CodeAction) -> Path:
        """Apply an edit to the file that it names, as an editor does."""
        chosen = await self.client.code_action_resolve_async(action)
        assert chosen.edit and chosen.edit.document_changes
        (change,) = chosen.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        path = Path(change.text_document.uri.removeprefix("file://"))
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for edit in reversed(change.edits):
            assert isinstance(edit, types.TextEdit)
            lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
        path.write_text("".join(lines), encoding="utf-8")
        return path


@pytest.mark.parametrize("project", projects())
async def test_the_loop_closes(project: Project, editor: LanguageClient, workspace: Path) -> None:
    env = environment(project)
    folder = workspace / project.name
    shutil.copytree(LOOP / project.name, folder)
    code, log = await run(project.command, folder, env)
    assert code != 0, log

    user = Editor(editor, folder)
    answer = await user.ask(
        "firstfault.diagnose",
        {"text": log, "cwd": str(folder), "command": project.command, "exitCode": code, "origin": "terminal"},
    )
    assert (answer["cause"] or {}).get("id") == project.cause, answer["summary"]
    assert answer["initiating_ranks"] == project.ranks, answer["summary"]

    check = answer["verify"]["command"]
    before = await verified(user, check, folder, env)
    assert before["resolved"] is False, before

    offered = await user.edits()
    assert project.fix in offered, sorted(offered)
    path = await user.choose(offered[project.fix])
    assert path.name == project.file

    after = await verified(user, check, folder, env)
    assert after["resolved"] is True, after
    code, log = await run(project.command, folder, env)
    assert code == 0, log


async def verified(user: Editor, command: str, folder: Path, env: dict[str, str]) -> dict[str, Any]:
    """Run the verification as the terminal does, and let the server read it."""
    code, output = await run(command, folder, env)
    answer: dict[str, Any] = await user.ask("firstfault.verified", {"exitCode": code, "output": output})
    return answer
