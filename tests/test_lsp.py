"""What a user of an editor meets, from the failed run to the mended line."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import shutil
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Union
from urllib.parse import quote

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

CASES = Path(__file__).parent / "lsp"
ACTION = types.Command | types.CodeAction


def make_client() -> LanguageClient:
    """Make a client that tells an action with a command from a bare command, which lsprotocol's converter does not."""
    client = make_test_lsp_client()
    converter = client.protocol._converter

    def action(raw: dict[str, Any], _: object) -> ACTION:
        bare = isinstance(raw.get("command"), str)
        return converter.structure(raw, types.Command) if bare else converter.structure(raw, types.CodeAction)

    converter.register_structure_hook(Union[types.Command, types.CodeAction], action)  # noqa: UP007
    return client


SERVER = ClientServerConfig([sys.executable, "-m", "firstfault", "lsp"], make_client, dict(os.environ))
COMMANDS = ["firstfault.runVerification", "firstfault.openDiagnosis"]
CANCELLED, REQUEST_FAILED, INVALID_PARAMS = -32800, -32803, -32602

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with an experiment per folder: its script, and the log of its failed run in a container."""
    root = tmp_path_factory.mktemp("workspace")
    for case in CASES.iterdir():
        (root / case.name / "logs").mkdir(parents=True)
        shutil.copy(case / "train.txt", root / case.name / "train.py")
        shutil.copy(case / "job.log", root / case.name / "logs")
    return root


def hello(root: Path | None, **options: object) -> types.InitializeParams:
    folders = [types.WorkspaceFolder(root.as_uri(), root.name)] if root else None
    capabilities = client_capabilities("visual-studio-code")
    return types.InitializeParams(
        capabilities, workspace_folders=folders, initialization_options={"commands": COMMANDS, **options}
    )


@pytest_lsp.fixture(config=SERVER, scope="module")  # type: ignore[untyped-decorator]
async def editor(lsp_client: LanguageClient, workspace: Path) -> AsyncIterator[None]:
    await lsp_client.initialize_session(hello(workspace))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture(autouse=True)
def _fresh(workspace: Path) -> None:
    """Undo what an earlier journey did to the scripts."""
    for case in CASES.iterdir():
        shutil.copy(case / "train.txt", workspace / case.name / "train.py")


class User:
    """Does with an editor what a user does."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client, self.root = client, root
        self.opened: set[str] = set()

    async def run(self, command: str, *arguments: object) -> Any:
        params = types.ExecuteCommandParams(command, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def diagnose(self, **arguments: object) -> dict[str, Any]:
        answer: dict[str, Any] = await self.run("firstfault.diagnose", {"origin": "test", **arguments})
        return answer

    async def diagnose_log(self, case: str) -> dict[str, Any]:
        return await self.diagnose(paths=[str(self.root / case / "logs" / "job.log")], origin="explorer")

    def marks(self, name: str) -> list[types.Diagnostic]:
        """Return the marks of diagnoses in a file."""
        return [mark for mark in self.shown(name) if isinstance(mark.data, dict) and "verdict" in mark.data]

    def shown(self, name: str) -> list[types.Diagnostic]:
        """Return all that is shown in a file, also what is said of the text before it runs."""
        return list(self.client.diagnostics.get((self.root / name).as_uri(), []))

    def marked(self, name: str) -> list[int]:
        """Return the marked lines, counted from 1."""
        return [mark.range.start.line + 1 for mark in self.marks(name)]

    def open(self, name: str) -> None:
        self.opened.add(name)
        path = self.root / name
        item = types.TextDocumentItem(path.as_uri(), "python", 1, path.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(2, (self.root / name).as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, name: str) -> None:
        self.opened.discard(name)
        identifier = types.TextDocumentIdentifier((self.root / name).as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    async def hover(self, name: str, line: int) -> str:
        """Return what is shown over a line, counted from 1."""
        place = types.TextDocumentIdentifier((self.root / name).as_uri()), types.Position(line - 1, 4)
        shown = await self.client.text_document_hover_async(types.HoverParams(*place))
        assert shown is None or isinstance(shown.contents, types.MarkupContent)
        return shown.contents.value if shown and isinstance(shown.contents, types.MarkupContent) else ""

    async def light_bulb(self, name: str, line: int) -> dict[str, types.CodeAction]:
        here = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
        document = types.TextDocumentIdentifier((self.root / name).as_uri())
        params = types.CodeActionParams(document, here, types.CodeActionContext(self.marks(name)))
        actions = await self.client.text_document_code_action_async(params)
        return {action.title: action for action in actions or [] if isinstance(action, types.CodeAction)}

    async def choose(self, action: types.CodeAction) -> str:
        """Apply an action's edit to the file that it names, as an editor does, and return the new text."""
        chosen = await self.client.code_action_resolve_async(action)
        assert chosen.edit and chosen.edit.document_changes
        (change,) = chosen.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        path = Path(change.text_document.uri.removeprefix("file://"))
        lines = path.read_text().splitlines(keepends=True)
        for edit in reversed(change.edits):
            assert isinstance(edit, types.TextEdit)
            lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
        return "".join(lines)


@pytest_asyncio.fixture(loop_scope="module")
async def user(editor: LanguageClient, workspace: Path) -> AsyncIterator[User]:
    """A user who leaves no mark and no open file to the next journey."""
    user = User(editor, workspace)
    yield user
    for name in list(user.opened):
        user.close(name)
    await user.run("firstfault.dismiss")
    for case in CASES.iterdir():
        user.close(f"{case.name}/train.py")


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.01)


async def refused(request: Awaitable[object]) -> tuple[int, str]:
    with pytest.raises(JsonRpcException) as error:
        await request
    return error.value.code, error.value.message


async def test_a_log_in_the_explorer_marks_the_line_that_broke(user: User) -> None:
    answer = await user.diagnose_log("shape")
    assert answer["verdict"] == "failure"
    assert answer["initiating_ranks"] == [1]
    assert answer["schema_version"] == 1

    start, other = user.marks("shape/train.py")
    assert start.range == types.Range(types.Position(37, 8), types.Position(37, 51))
    assert start.severity == types.DiagnosticSeverity.Error
    assert start.source == "firstfault"
    assert start.code == answer["cause"]["id"]
    assert start.message == answer["summary"]
    assert start.code_description is None or start.code_description.href == answer["references"][0]
    assert other.range.start.line == 61
    assert other.severity == types.DiagnosticSeverity.Information
    assert other.message.startswith("Rank 0 failed here as a consequence: RuntimeError")

    log = user.marks("shape/logs/job.log")
    assert [(m.range.start.line + 1, m.severity) for m in log] == [
        (10, types.DiagnosticSeverity.Error),
        (47, types.DiagnosticSeverity.Information),
    ]


async def test_each_mark_leads_to_the_others(user: User) -> None:
    await user.diagnose_log("shape")
    start, other = user.marks("shape/train.py")
    script, log = ((user.root / "shape" / name).as_uri() for name in ("train.py", "logs/job.log"))
    places = [(r.location.uri, r.location.range.start.line + 1) for r in start.related_information or []]
    assert sorted(places) == [(log, 10), (log, 47), (script, 62)]
    back = [(r.location.uri, r.location.range.start.line + 1) for r in other.related_information or []]
    assert (script, 38) in back and (log, 10) in back


async def test_pasted_output_of_a_command_is_found_in_its_folder(user: User) -> None:
    text = (CASES / "context" / "job.log").read_text()
    answer = await user.diagnose(
        text=text, cwd=str(user.root / "context"), command="python train.py", exitCode=1, origin="terminal", later=True
    )
    assert answer["cause"]["id"] == "process/start-method-already-set"
    assert user.marked("context/train.py") == [52]
    (mark,) = user.marks("context/train.py")
    assert isinstance(mark.data, dict)
    assert mark.data["causeId"] == "process/start-method-already-set"
    assert "start-method-once" in mark.data["codeFixes"]
    assert mark.data["verify"] == answer["verify"]["command"]


async def test_the_light_bulb_mends_the_script(user: User) -> None:
    user.open("context/train.py")
    await user.diagnose_log("context")
    actions = await user.light_bulb("context/train.py", 52)
    (title,) = [title for title, action in actions.items() if action.data]
    assert title.startswith("Set the start method once") and title.endswith("(needs a look)")
    assert actions[title].is_preferred and actions[title].kind == "quickfix" and not actions[title].edit
    assert list(actions[title].diagnostics or []) == user.marks("context/train.py")

    new = await user.choose(actions[title])
    assert '    torch.multiprocessing.set_start_method("spawn", force=True)\n    main()\n' in new
    assert new.count("set_start_method") == 1
    user.type("context/train.py", new)
    await user.hover("context/train.py", 1)
    assert user.marked("context/train.py") == []


async def test_the_light_bulb_offers_proof_answer_and_peace(user: User) -> None:
    user.open("context/train.py")
    answer = await user.diagnose_log("context")
    actions = await user.light_bulb("context/train.py", 52)
    run, show = (actions[title].command for title in ("Run verification in terminal", "Open diagnosis"))
    assert run and run.command == "firstfault.runVerification"
    assert show and show.command == "firstfault.openDiagnosis" and show.arguments
    (shown,) = show.arguments
    assert isinstance(shown, dict)
    assert list(run.arguments or []) == [{**shown, "command": answer["verify"]["command"]}]
    report = await user.run("firstfault.report", show.arguments[0])
    assert report.startswith(f"# {answer['summary']}")

    dismiss = actions["Dismiss this diagnosis"].command
    assert dismiss and dismiss.arguments
    await user.run(dismiss.command, *dismiss.arguments)
    assert user.marked("context/train.py") == user.marked("context/logs/job.log") == []
    assert "Dismiss this diagnosis" not in await user.light_bulb("context/train.py", 52)


async def test_a_mistake_is_shown_as_it_is_typed_and_goes_with_it(user: User) -> None:
    name = "context/train.py"
    user.open(name)
    await until(lambda: [m.code for m in user.shown(name)] == ["start-method-twice"])
    (found,) = user.shown(name)
    assert found.source == "firstfault" and found.severity == types.DiagnosticSeverity.Warning
    assert found.range.start.line == 51

    actions = await user.light_bulb(name, 52)
    (title,) = actions
    assert title.startswith("Set the start method once")
    new = await user.choose(actions[title])
    assert new.count("set_start_method") == 1

    user.type(name, "def half(:\n" + (user.root / name).read_text())
    await user.hover(name, 1)
    assert [m.code for m in user.shown(name)] == ["start-method-twice"], "a half-typed line takes nothing back"
    user.type(name, new)
    await until(lambda: not user.shown(name))


async def test_all_that_is_safe_is_mended_at_once(user: User) -> None:
    name = "context/train.py"
    head = "from torch.utils.data import DataLoader\n\n"
    user.open(name)
    user.type(name, head + "a = DataLoader(x, timeout=5)\nb = DataLoader(y, prefetch_factor=2)\n")
    document = types.TextDocumentIdentifier((user.root / name).as_uri())
    context = types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
    everywhere = types.Range(types.Position(0, 0), types.Position(9, 0))
    params = types.CodeActionParams(document, everywhere, context)
    (action,) = await user.client.text_document_code_action_async(params) or []
    assert isinstance(action, types.CodeAction) and action.kind == "source.fixAll.firstfault"
    assert action.edit and action.edit.document_changes
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    (edit,) = change.edits
    assert isinstance(edit, types.TextEdit)
    assert edit.new_text == "a = DataLoader(x)\nb = DataLoader(y)\n"
    user.type(name, "def half(:\n")
    assert not await user.client.text_document_code_action_async(params)


async def test_a_diagnosis_takes_the_place_of_what_was_foreseen(user: User) -> None:
    user.open("context/train.py")
    await until(lambda: user.shown("context/train.py"))
    await user.diagnose_log("context")
    assert user.shown("context/train.py") == user.marks("context/train.py")
    await user.run("firstfault.dismiss")
    assert [m.code for m in user.shown("context/train.py")] == ["start-method-twice"]


async def test_what_the_verification_printed_is_read_back(user: User) -> None:
    await user.diagnose_log("context")
    still = {"exitCode": 0, "output": "set_start_method, line 51 52\n"}
    answer = await user.run("firstfault.verified", still)
    assert answer["resolved"] is False and "line 51 52" in answer["said"]
    assert user.marked("context/train.py") == [52]
    (mark,) = user.marks("context/train.py")
    assert isinstance(mark.data, dict)
    answer = await user.run("firstfault.verified", {"id": mark.data["id"], "exitCode": 0, "output": "ok\n"})
    assert answer["resolved"] is True
    assert user.marked("context/train.py") == []
    code, message = await refused(user.run("firstfault.verified", {"id": mark.data["id"], "output": ""}))
    assert code == REQUEST_FAILED and "gone" in message
    assert (await refused(user.run("firstfault.verified", {"id": "1"})))[0] == INVALID_PARAMS


async def test_a_launch_file_is_marked_where_a_setting_mends_it(user: User) -> None:
    folder = user.root / "shape"
    (folder / "compose.yaml").write_text("services:\n  trainer:\n    image: pytorch\n")
    log = "RuntimeError: unable to write to file </torch_31_90330781_4>: No space left on device (28)\n"
    head = 'Traceback (most recent call last):\n  File "x.py", line 1, in f\n'
    answer = await user.diagnose(text=head + log, cwd=str(folder), command="python train.py", exitCode=1)
    assert answer["cause"]["id"] == "data/shm-no-space"
    (mark,) = user.marks("shape/compose.yaml")
    assert (mark.range.start.line, mark.severity) == (2, types.DiagnosticSeverity.Information)
    actions = await user.light_bulb("shape/compose.yaml", 3)
    (title,) = [title for title in actions if title.startswith("Give the container")]
    new = await user.choose(actions[title])
    assert new == "services:\n  trainer:\n    shm_size: 16gb\n    image: pytorch\n"
    (folder / "compose.yaml").unlink()


async def test_other_lines_and_other_kinds_have_no_light_bulb(user: User) -> None:
    user.open("context/train.py")
    await user.diagnose_log("context")
    assert await user.light_bulb("context/train.py", 51) == {}
    document = types.TextDocumentIdentifier((user.root / "context/train.py").as_uri())
    place = types.Range(types.Position(51, 0), types.Position(51, 0))
    context = types.CodeActionContext([], only=[types.CodeActionKind.Refactor])
    params = types.CodeActionParams(document, place, context)
    assert not await user.client.text_document_code_action_async(params)


async def test_marks_follow_their_line_and_end_with_it(user: User) -> None:
    user.open("shape/train.py")
    await user.diagnose_log("shape")
    old = (user.root / "shape/train.py").read_text()
    user.type("shape/train.py", "import faulthandler\n\n" + old)
    await user.hover("shape/train.py", 1)
    assert user.marked("shape/train.py") == [40, 64]
    user.type("shape/train.py", "import faulthandler\n\n" + old.replace("loss.backward()", "loss.sum().backward()"))
    await user.hover("shape/train.py", 1)
    assert user.marked("shape/train.py") == [40]
    user.type("shape/train.py", "import faulthandler\n\n" + old.replace("torch.relu(", "torch.tanh("))
    await user.hover("shape/train.py", 1)
    assert user.marked("shape/train.py") == []
    assert user.marked("shape/logs/job.log") == []


async def test_a_fix_is_computed_against_the_text_as_it_is_now(user: User) -> None:
    user.open("context/train.py")
    await user.diagnose_log("context")
    actions = await user.light_bulb("context/train.py", 52)
    (action,) = [a for a in actions.values() if a.data]
    changed = "import faulthandler\n" + (user.root / "context/train.py").read_text()
    (user.root / "context/train.py").write_text(changed)
    user.type("context/train.py", changed)
    new = await user.choose(action)
    assert new.startswith("import faulthandler\n") and new.count("set_start_method") == 1

    user.type("context/train.py", "print('all gone')\n")
    code, message = await refused(user.client.code_action_resolve_async(action))
    assert code == REQUEST_FAILED and "does not apply any more" in message


async def test_a_success_of_the_same_command_clears_its_marks_only(user: User) -> None:
    folder = str(user.root / "context")
    text = (CASES / "context" / "job.log").read_text()
    await user.diagnose(text=text, cwd=folder, command="python train.py")
    await user.run("firstfault.clear", {"command": "python other.py", "cwd": folder})
    assert user.marked("context/train.py") == [52]
    await user.run("firstfault.clear", {"command": "python train.py", "cwd": folder + "/"})
    assert user.marked("context/train.py") == []


async def test_a_new_run_of_a_command_replaces_the_old_one(user: User) -> None:
    run = {"cwd": str(user.root / "context"), "command": "python train.py"}
    text = (CASES / "context" / "job.log").read_text()
    await user.diagnose(text=text, **run)
    await user.diagnose(text=text.replace("line 52", "line 50").replace('"spawn"', '"fork"'), **run)
    assert user.marked("context/train.py") == [50]
    answer = await user.diagnose(text="epoch 0 step 12 loss 0.5\n", **run)
    assert answer["verdict"] == "no_failure"
    assert user.marked("context/train.py") == []


async def test_dismissing_a_file_leaves_the_others(user: User) -> None:
    await user.diagnose_log("context")
    await user.diagnose_log("shape")
    await user.run("firstfault.dismiss", {"uri": (user.root / "shape/train.py").as_uri()})
    assert user.marked("shape/train.py") == user.marked("shape/logs/job.log") == []
    assert user.marked("context/train.py") == [52]


async def test_hover_explains_the_line_and_what_was_read_in_the_log(user: User) -> None:
    answer = await user.diagnose_log("context")
    code = await user.hover("context/train.py", 52)
    assert answer["summary"] in code
    assert answer["fix"]["steps"][0] in code
    assert answer["verify"]["command"] in code
    assert await user.hover("context/train.py", 51) == ""

    log = await user.hover("context/logs/job.log", 4)
    assert "What started it" in log and "context has already been set" in log
    await user.diagnose_log("shape")
    assert "A consequence" in await user.hover("shape/logs/job.log", 50)
    assert await user.hover("shape/logs/job.log", 1) == ""


async def test_a_line_that_moved_is_found_by_its_text(user: User) -> None:
    script = user.root / "context/train.py"
    script.write_text("import faulthandler\n\n\n" + script.read_text())
    await user.diagnose_log("context")
    assert user.marked("context/train.py") == [55]


async def test_a_line_that_is_gone_marks_nothing_but_the_log(user: User) -> None:
    script = user.root / "context/train.py"
    script.write_text(script.read_text().replace('set_start_method("spawn")', 'set_start_method("forkserver")'))
    await user.diagnose_log("context")
    assert user.marked("context/train.py") == []
    assert user.marked("context/logs/job.log") == [1]


async def test_the_text_in_the_editor_counts_more_than_the_disk(user: User) -> None:
    user.open("context/train.py")
    user.type("context/train.py", "# not saved yet\n" + (user.root / "context/train.py").read_text())
    await user.diagnose_log("context")
    assert user.marked("context/train.py") == [53]


async def test_what_cannot_be_read_is_one_sentence(user: User, tmp_path: Path) -> None:
    code, message = await refused(user.diagnose(paths=[str(tmp_path / "missing.log")]))
    assert code == REQUEST_FAILED
    assert message == f"{tmp_path / 'missing.log'}: no such file or folder"
    (tmp_path / "empty").mkdir()
    assert "no log file" in (await refused(user.diagnose(paths=[str(tmp_path / "empty")])))[1]
    (tmp_path / "model.log").write_bytes(b"\x80\x04" + bytes(500))
    assert "a binary file" in (await refused(user.diagnose(paths=[str(tmp_path / "model.log")])))[1]
    answer = await user.diagnose(text="")
    assert answer["verdict"] == "no_failure" and "nothing to read" in answer["summary"]


async def test_half_characters_in_a_selection_do_no_harm(user: User) -> None:
    """An editor may cut a text inside a character; JSON can carry such a half, UTF-8 cannot."""
    answer = await user.diagnose(text="ValueError: \ud83d\nTraceback (most recent call last):\n\udc80\x00")
    assert answer["schema_version"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one argument"),
        (["train.log"], "one argument"),
        ([{"origin": "test"}], "'text' or 'paths'"),
        ([{"paths": "run.log"}], "'paths' must be a list of paths"),
        ([{"text": 1}], "'text' must be a text"),
        ([{"text": "", "exitCode": "1"}], "'exitCode' must be a whole number"),
    ],
)
async def test_wrong_arguments_are_one_sentence(user: User, arguments: list[object], words: str) -> None:
    code, message = await refused(user.run("firstfault.diagnose", *arguments))
    assert code == INVALID_PARAMS and words in message and "\n" not in message


LINE = "[rank{}]: 2026-11-30 14:00:00,258 INFO step {} loss 0.5000 lr 0.05 tokens 37\n"
MEGABYTE = "".join(LINE.format(i % 8, i) for i in range(14_000))


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A gigabyte of healthy log in a few megabytes: nobody waits for its end."""
    path = tmp_path_factory.mktemp("logs") / "endless.log.gz"
    path.write_bytes(gzip.compress(MEGABYTE.encode(), 1) * 1000)
    return str(path)


@pytest.fixture(scope="module")
def seconds_long(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A log of 3 GB, nearly all of it a hole, which takes a second or more to read on any machine."""
    path = tmp_path_factory.mktemp("logs") / "long.log"
    path.write_text(MEGABYTE)
    os.truncate(path, 3 << 30)
    return str(path)


def bars(user: User) -> list[list[Any]]:
    return [list(reports) for reports in user.client.progress_reports.values()]


async def test_progress_begins_rises_and_ends(user: User, seconds_long: str) -> None:
    before = len(bars(user))
    await user.diagnose(paths=[seconds_long])
    ((begin, *reports, end),) = bars(user)[before:]
    assert begin.kind == "begin" and begin.cancellable and "long.log" in begin.message
    assert end.kind == "end"
    percentages = [report.percentage for report in reports]
    assert len(set(percentages)) > 1 and percentages == sorted(percentages) and percentages[-1] <= 99
    assert " of 3.2 GB, 8 ranks" in reports[-1].message


async def test_a_short_text_shows_no_progress_bar(user: User) -> None:
    before = len(bars(user))
    await user.diagnose(text="step 1\n")
    assert len(bars(user)) == before


async def test_the_progress_bar_cancels(user: User, endless: str) -> None:
    before = len(bars(user))
    reading = asyncio.ensure_future(user.diagnose(paths=[endless]))
    await until(lambda: len(bars(user)) > before and bars(user)[-1])
    token = list(user.client.progress_reports)[-1]
    pressed = time.monotonic()
    user.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    code, _ = await refused(reading)
    assert code == CANCELLED
    assert time.monotonic() - pressed < 2
    assert bars(user)[-1][-1].kind == "end"


async def test_a_cancelled_request_stops_reading(user: User, endless: str) -> None:
    arguments = types.ExecuteCommandParams("firstfault.diagnose", [{"paths": [endless], "origin": "test"}])
    before = len(bars(user))
    reading = asyncio.ensure_future(
        user.client.protocol.send_request_async("workspace/executeCommand", arguments, "reading")  # type: ignore[no-untyped-call]
    )
    await until(lambda: len(bars(user)) > before and bars(user)[-1])
    user.client.cancel_request(types.CancelParams("reading"))
    assert (await refused(reading))[0] == CANCELLED
    await until(lambda: bars(user)[-1][-1].kind == "end", 2)


async def test_hover_and_short_texts_are_answered_while_a_long_log_is_read(user: User, endless: str) -> None:
    await user.diagnose_log("context")
    before = len(bars(user))
    reading = asyncio.ensure_future(user.diagnose(paths=[endless]))
    await until(lambda: len(bars(user)) > before and bars(user)[-1])
    assert await user.hover("context/train.py", 52)
    answer = await user.diagnose_log("shape")
    assert answer["initiating_ranks"] == [1]
    assert not reading.done()
    user.client.window_work_done_progress_cancel(
        types.WorkDoneProgressCancelParams(list(user.client.progress_reports)[before])
    )
    assert (await refused(reading))[0] == CANCELLED


async def test_a_success_meanwhile_outdates_what_is_still_being_read(user: User) -> None:
    text = MEGABYTE * 150 + (CASES / "context" / "job.log").read_text()
    run = {"command": "python train.py", "cwd": str(user.root / "context")}
    reading = asyncio.ensure_future(user.diagnose(text=text, **run))
    await asyncio.sleep(0.2)
    await user.run("firstfault.clear", run)
    assert not reading.done()
    assert (await reading)["verdict"] == "failure"
    assert user.marked("context/train.py") == []


@pytest.mark.parametrize("seed", sorted((Path(__file__).parent / "seeds").glob("*.log")), ids=lambda path: path.stem)
async def test_a_selected_text_gets_cause_fix_and_proof(user: User, seed: Path) -> None:
    answer = await user.diagnose(text=seed.read_text(), origin="selection")
    assert answer["cause"]["id"].startswith("process/")
    assert answer["fix"]["steps"]
    assert answer["verify"]["command"]


HOSTILE = """Traceback (most recent call last):
  File "/home/carla/job/train.py", line 52, in main
    torch.multiprocessing.set_start_method("spawn")
ValueError: <img src=x> [click](command:firstfault.openPlace) hf_abcdefghijklmnopqrstuvwx 10.1.2.3
"""


async def test_the_document_links_into_code_and_log_and_shows_the_edit(user: User) -> None:
    answer = await user.diagnose(paths=[str(user.root / "context/logs/job.log")], id="mine")
    text = await user.run("firstfault.report", {"id": "mine", "links": "command:x.open"})
    code = quote(json.dumps([str(user.root / "context/train.py"), 52]))
    log = quote(json.dumps([str(user.root / "context/logs/job.log"), 1]))
    assert text.startswith(f"# {answer['summary']}\n\nIn [train.py, line 52](command:x.open?{code}), function `main`.")
    assert f"- [job.log:1](command:x.open?{log}): rank 0 failed by itself" in text
    assert '+    torch.multiprocessing.set_start_method("spawn", force=True)' in text
    assert text.index("## Fix") < text.index("## The error itself\n\n[job.log, lines 1-")
    assert text.rstrip().endswith("RuntimeError: context has already been set\n```")


async def test_words_of_a_log_make_no_link_and_no_html_in_the_document(user: User) -> None:
    await user.diagnose(text=HOSTILE, id="hostile")
    text = await user.run("firstfault.report", {"id": "hostile", "links": "command:x.open"})
    prose = re.sub(r"(?ms)^```.*?^```", "", text)
    assert not re.search(r"(?<!\\)\]\(command:firstfault|(?<!\\)<img", prose)


async def test_equal_tracebacks_of_other_ranks_are_shown_once(user: User) -> None:
    lost = "RuntimeError: [/x/gloo/pair.cc:525] Read error [10.0.0.1]:%d: Connection reset by peer"
    frames = 'Traceback (most recent call last):\n  File "train.py", line 9, in step\n    reduce()\n'
    blocks = [f"{frames}{lost % (2000 + rank)}\n" for rank in range(3)] + [f"{frames}KeyError: 'label'\n"]
    text = "".join(f"[rank{rank}]: {line}\n" for rank, block in enumerate(blocks) for line in block.splitlines())
    await user.diagnose(text=text, id="alike")
    document = await user.run("firstfault.report", {"id": "alike"})
    assert document.count("<details>") == 1 and "(3 alike)" in document and "ranks 0-2" in document
    assert document.rstrip().endswith("KeyError: 'label'\n```")


async def test_a_report_for_others_hides_what_is_private_and_says_so(user: User) -> None:
    await user.diagnose(text=HOSTILE, id="private")
    report = await user.run("firstfault.redactedReport", {"id": "private"})
    for secret in ("carla", "hf_abc", "10.1.2.3"):
        assert secret not in report["text"]
    assert {hidden["kind"] for hidden in report["hidden"]} == {"home", "token", "ip"}
    assert report["told"] == "1 home folder, 1 IP address, 1 token"


async def test_a_case_holds_input_and_answer_without_what_is_private(user: User) -> None:
    answer = await user.diagnose(text=HOSTILE, id="case", command="python train.py --token=geheim99", exitCode=1)
    case = json.loads((await user.run("firstfault.case", {"id": "case"}))["text"])
    (log,) = case["logs"]
    assert "<home-1>/job/train.py" in log["text"] and "geheim99" not in json.dumps(case)
    assert not any(private in json.dumps(case) for private in ("carla", "hf_abc", "10.1.2.3"))
    assert case["answer"]["verdict"] == answer["verdict"] and case["run"]["exit_code"] == 1


async def test_a_case_of_a_long_log_holds_what_was_read_in_it(user: User, tmp_path: Path) -> None:
    log = tmp_path / "long.log"
    log.write_text("step 1\n" * 300_000 + HOSTILE)
    await user.diagnose(paths=[str(log)], id="long")
    case = await user.run("firstfault.case", {"id": "long"})
    assert len(case["text"]) < 200_000
    assert "evidence" in json.loads(case["text"])["logs"][0]


async def test_what_is_gone_has_no_report(user: User) -> None:
    for command in ("firstfault.report", "firstfault.redactedReport", "firstfault.case"):
        assert await user.run(command, {"id": "nobody"}) is None


RANKED = "[rank1]: Traceback (most recent call last):\n[rank1]: KeyError: 'x'\n"
STOPPED = 'Traceback (most recent call last):\n  File "t.py", line 1\nKeyboardInterrupt\n'
COMMANDS_OF_A_TERMINAL = {
    "training": ("torchrun train.py", HOSTILE, True),
    "ranks show": ("make all", RANKED, True),
    "no training": ("python manage.py", HOSTILE, False),
    "a bystander": ("grep -c Error run.log", RANKED, False),
    "nothing failed": ("torchrun train.py", "step 1\nWorker group successfully finished\n", False),
    "stopped by hand": ("torchrun train.py", STOPPED, False),
}


@pytest.mark.parametrize("name", COMMANDS_OF_A_TERMINAL)
async def test_only_failed_training_runs_of_a_terminal_are_spoken_of(user: User, name: str) -> None:
    command, text, spoken = COMMANDS_OF_A_TERMINAL[name]
    asked = {"command": command, "text": text, "cwd": str(user.root), "exitCode": 1, "origin": "terminal"}
    answer = await user.run("firstfault.diagnoseCommand", asked)
    assert (answer is not None) == spoken
    assert (await user.run("firstfault.report", {}) is not None) == spoken


async def test_a_command_line_alone_tells_whether_it_trains(user: User) -> None:
    folder = {"cwd": str(user.root / "context")}
    assert await user.run("firstfault.startsTraining", {"command": "python train.py", **folder}) is True
    assert await user.run("firstfault.startsTraining", {"command": "ls train.py", **folder}) is False
