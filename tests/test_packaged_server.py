"""The packaged server, started for real by every Python that is installed here, and where libraries are missing."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from lsprotocol import types
from packages import LIBRARIES, OLDEST, ROOT, built, copied, host, pythons
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from firstfault import analysis, fixes, prefilter

INCIDENT = Path("tests", "logs", "late-close-manual-w3", "logs")
SLICE = sorted(Path("tests", "logs").glob("*/logs"))[::9]
FORKED = (
    "RuntimeError: Cannot re-initialize CUDA in forked subprocess. "
    "To use CUDA with multiprocessing, you must use the 'spawn' start method"
)
NEW = {version: path for version, path in pythons().items() if version >= OLDEST}
OLD = {version: path for version, path in pythons().items() if version < OLDEST}
WATCHED = """
import runpy, sys
seen = open(sys.argv[1], "w", 1)
events = {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}
sys.addaudithook(lambda event, _: seen.write(event + "\\n") if event in events else None)
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
DIAGNOSE_ALL = """
import json, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
from firstfault import analysis
for path in sys.argv[3:]:
    print(json.dumps(analysis.diagnose(analysis.Request(paths=(Path(path),))).as_json()))
"""


def named(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's folder of this machine's package, unpacked as VS Code does it."""
    folder = tmp_path_factory.mktemp("extension")
    with ZipFile(built(host())) as package:
        package.extractall(folder)
    return folder / "extension" / "server"


@pytest.fixture(scope="module", params=[*LIBRARIES["COMPILED"], "all"])
def crippled(request: pytest.FixtureRequest, server: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same where one compiled library, or each, has no build for the Python: PyPy, free-threaded ones, new ones."""
    missing = tuple(LIBRARIES["COMPILED"]) if request.param == "all" else (request.param,)
    folder = tmp_path_factory.mktemp("-".join(missing))
    yield copied(server, folder, missing)
    shutil.rmtree(folder)


def started(python: str, start: Path, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the start file as the extension does."""
    cache = f"pycache_prefix={start.parents[2] / 'pycache'}"
    command = [python, "-I", "-X", "utf8", "-X", cache, str(start), *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
    )


def essence(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what a fallback must not change: the answer without notes and offered edits."""
    fix = {k: v for k, v in (answer["fix"] or {}).items() if not k.startswith("code_fix")}
    return {**answer, "notes": [], "fix": fix}


@pytest.mark.parametrize("version", NEW, ids=named)
def test_every_python_takes_its_own_compiled_files(version: tuple[int, ...], server: Path) -> None:
    done = started(NEW[version], server / "start.py", "--probe", "--libraries")
    facts = json.loads(done.stdout)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert facts["version"].startswith(named(version) + ".")
    assert (facts["implementation"], facts["firstfault"]) == (
        "cpython",
        json.loads(Path("package.json").read_text())["version"],
    )
    assert f"cpython-{version[0]}{version[1]}" in facts["abi"]
    assert facts["libraries"] == {
        name: {"path": str(server / "libs" / name), "error": None} for name in LIBRARIES["COMPILED"]
    }


@pytest.mark.parametrize("version", NEW, ids=named)
def test_every_python_gives_the_same_answer(version: tuple[int, ...], server: Path) -> None:
    done = started(NEW[version], server / "start.py", "diagnose", str(INCIDENT), "--format", "json")
    assert done.returncode == 0, done.stderr
    assert essence(json.loads(done.stdout)) == essence(
        json.loads(json.dumps(analysis.diagnose(analysis.Request(paths=(INCIDENT,))).as_json()))
    )


@pytest.mark.parametrize("version", NEW, ids=named)
@pytest.mark.asyncio
async def test_every_python_serves_an_editor_and_opens_no_connection(
    version: tuple[int, ...], server: Path, tmp_path: Path
) -> None:
    watch, seen = tmp_path / "watch.py", tmp_path / "seen.txt"
    watch.write_text(WATCHED)
    flags = ["-I", "-X", "utf8", "-X", f"pycache_prefix={tmp_path / 'pycache'}"]
    command = [NEW[version], *flags, str(watch), str(seen), str(server / "start.py")]
    client = await ClientServerConfig(server_command=command, server_env=dict(os.environ)).start()
    assert isinstance(client, LanguageClient)
    hello = types.InitializeParams(client_capabilities("visual-studio-code"))
    welcome = await client.initialize_session(hello)
    assert welcome.capabilities.code_action_provider
    question = {"paths": [str(ROOT / INCIDENT)], "origin": "test"}
    asked = types.ExecuteCommandParams("firstfault.diagnose", arguments=[question])
    answer: Any = await asyncio.wait_for(client.workspace_execute_command_async(asked), 60)
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]
    assert (answer["verdict"], answer["initiating_ranks"]) == ("failure", [1])
    assert seen.read_text() == ""
    assert list(server.rglob("__pycache__")) == []


@pytest.mark.parametrize("version", OLD, ids=named)
def test_an_older_python_is_told_so(version: tuple[int, ...]) -> None:
    done = subprocess.run([OLD[version], ROOT / "server" / "start.py"], capture_output=True, text=True, check=False)
    sentence = f"Firstfault needs Python 3.10 or newer, and this is {named(version)}.\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", sentence)


def test_the_start_file_parses_on_an_older_python() -> None:
    ast.parse((ROOT / "server" / "start.py").read_text(), feature_version=(3, 4))


def test_where_a_library_is_missing_the_answers_are_the_same(crippled: Path) -> None:
    command = [sys.executable, "-I", "-c", DIAGNOSE_ALL, *map(str, (crippled, crippled / "libs", *SLICE))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for path, answer in zip(SLICE, answers, strict=True):
        here = json.loads(json.dumps(analysis.diagnose(analysis.Request(paths=(path,))).as_json()))
        assert essence(answer) == essence(here), path


def test_what_is_missing_is_said_where_it_matters(crippled: Path, tmp_path: Path) -> None:
    probed = json.loads(started(sys.executable, crippled / "start.py", "--probe", "--libraries").stdout)["libraries"]
    lacks = {name for name, found in probed.items() if found["error"]}
    own = tmp_path / ".firstfault" / "signatures" / "mine"
    own.mkdir(parents=True)
    shutil.copy(ROOT / "signatures" / "process" / "cuda-in-forked-child.toml", own / "mine.toml")
    (own / "mine.toml").write_text((own / "mine.toml").read_text().replace("forked subprocess", "my subprocess"))
    (tmp_path / "job.log").write_text(FORKED)
    notes = {}
    for name, cwd in (("built-in", ROOT), ("own", tmp_path)):
        done = started(
            sys.executable, crippled / "start.py", "diagnose", str(tmp_path / "job.log"), "--format", "json", cwd=cwd
        )
        answer = json.loads(done.stdout)
        assert bool(answer["fix"]["code_fixes"]) == ("libcst" not in lacks)
        notes[name] = " ".join(answer["notes"])
    assert ("LibCST" in notes["built-in"]) == ("libcst" in lacks)
    assert ("regex" in notes["own"]) == ("regex" in lacks)
    assert "regex" not in notes["built-in"]
    assert "Hyperscan" not in notes["own"]  # a small log


def test_where_libcst_is_missing_a_fix_is_refused_in_a_sentence(crippled: Path, tmp_path: Path) -> None:
    probed = json.loads(started(sys.executable, crippled / "start.py", "--probe", "--libraries").stdout)["libraries"]
    before = next((ROOT / "tests" / "fixes" / "main-guard").glob("*/before.py")).read_text()
    (tmp_path / "train.py").write_text(before)
    done = started(sys.executable, crippled / "start.py", "fix", "main-guard", str(tmp_path / "train.py"), "--diff")
    if probed["libcst"]["error"]:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("firstfault: main-guard: LibCST has no build for this Python, so ")
        assert done.stderr.count("\n") == 1
    else:
        assert done.stdout.startswith("---")


def test_the_editor_is_told_what_is_missing(crippled: Path) -> None:
    probed = json.loads(started(sys.executable, crippled / "start.py", "--probe", "--libraries").stdout)["libraries"]
    said = started(sys.executable, crippled / "start.py").stderr  # standard input is at its end: starts, and leaves
    names = {"hyperscan": "Hyperscan", "libcst": "LibCST", "regex": "package regex"}
    assert {name for name, word in names.items() if f"{word} has no build" in said} == {
        n for n in probed if probed[n]["error"]
    }


def test_fixes_can_be_made_here() -> None:
    assert fixes.missing() is None


@pytest.mark.parametrize(("missing", "size", "noted"), [(True, 1, True), (True, 10_000, False), (False, 1, False)])
def test_the_slower_search_is_noted_for_big_logs(
    missing: bool, size: int, noted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefilter, "MISSING", "Hyperscan is not here" if missing else None)
    monkeypatch.setattr(prefilter, "NOTICEABLE", size)
    assert ("Hyperscan is not here" in analysis.diagnose(analysis.Request(text="step 1\n")).notes) == noted


@pytest.mark.slow  # makes an environment
def test_pip_installs_the_same_program(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    locked = ["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(ROOT / "requirements" / "runtime.txt")]
    for what in (locked, ["--no-deps", "--no-build-isolation", str(ROOT)]):
        subprocess.run([str(programs / "python"), "-m", "pip", "install", "-q", *what], check=True, capture_output=True)

    def program(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(programs / "firstfault"), *arguments]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
        )

    assert len(program("list").stdout.splitlines()) == len(list((ROOT / "signatures").rglob("*.toml")))
    answer = json.loads(program("diagnose", str(ROOT / INCIDENT), "--format", "json").stdout)
    here = analysis.diagnose(analysis.Request(paths=(ROOT / INCIDENT,))).as_json()
    assert answer == json.loads(json.dumps(here))
    assert program("lsp").stdout == ""  # starts, and leaves at the end of its input
