"""What a newcomer meets before the program runs: the set-up scripts, the lock files, a Python that is too old."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firstfault import __main__ as program

ROOT = Path(__file__).parents[1]
OLD = '{"version": [3, 9, 18], "path": "/usr/bin/python3.9", "prefix": "/usr", "venv": true, "kind": "cpython"}'
BARE = '{"version": [3, 12, 3], "path": "/usr/bin/python3.12", "prefix": "/usr", "venv": false, "kind": "cpython"}'


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "does not run, and Firstfault needs CPython 3.10 or newer"),
        ("hello", "does not run, and Firstfault needs CPython 3.10 or newer"),
        (OLD, "FIRSTFAULT_PYTHON is 3.9.18"),
        (BARE, "Python 3.12 (/usr/bin/python3.12) lacks its venv module"),
    ],
    ids=["absent", "not-a-python", "too-old", "no-venv"],
)
def test_an_unusable_python_is_one_sentence(tmp_path: Path, answer: str | None, sentence: str) -> None:
    python = tmp_path / "python"
    if answer:
        python.write_text(f"#!/bin/sh\necho '{answer}'\n")
        python.chmod(0o755)
    ended = subprocess.run(
        ["node", ROOT / "scripts" / "start.mjs"],
        env={**os.environ, "FIRSTFAULT_PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert sentence in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_old_python_reads_the_main_module_and_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ast.parse(Path(program.__file__).read_text(), feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    assert program.main() == 2
    assert capsys.readouterr().err == "Firstfault needs Python 3.10 or newer, and this is 3.9.\n"


@pytest.mark.parametrize("lock", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_lock_files_name_no_host_and_no_place(lock: Path) -> None:
    lines = [line.strip() for line in lock.read_text().splitlines()]
    assert not [
        line for line in lines if "://" in line or " /" in line or (line.startswith("-") and "--hash" not in line)
    ]
    pinned = [line for line in lines if not line.startswith(("#", "--hash"))]
    assert pinned
    assert all("==" in line and line.endswith("\\") for line in pinned)
