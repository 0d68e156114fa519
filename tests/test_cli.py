"""The command line as a user types it."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

LOGS = Path(__file__).parent / "logs"
RUN = LOGS / "matmul-shape-torchrun-w2" / "logs" / "job.log"


def firstfault(*words: str | Path, text: bytes = b"", cwd: Path | None = None) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "firstfault", *map(str, words)]
    return subprocess.run(command, input=text, capture_output=True, cwd=cwd, timeout=60, check=False)


def test_diagnose_a_file_says_rank_cause_fix_and_proof() -> None:
    done = firstfault("diagnose", RUN)
    said = done.stdout.decode()
    assert done.returncode == 0
    assert said.startswith("Rank 1 broke the run")
    assert "model/shape-matmul" in said
    assert "Fix" in said


def test_standard_input_is_the_same_as_the_file() -> None:
    by_path = json.loads(firstfault("diagnose", RUN, "--format", "json").stdout)
    by_pipe = json.loads(firstfault("diagnose", "-", "--format", "json", text=RUN.read_bytes()).stdout)
    assert by_pipe["evidence"][0]["path"] is None
    assert (by_pipe["cause"], by_pipe["initiating_ranks"]) == (by_path["cause"], by_path["initiating_ranks"])


def test_markdown() -> None:
    assert firstfault("diagnose", RUN, "--format", "markdown").stdout.decode().startswith("# Rank 1 broke the run")


@pytest.mark.parametrize(("path", "code"), [("healthy-torchrun-w4", 0), ("matmul-shape-torchrun-w2", 1)])
def test_check(path: str, code: int) -> None:
    if not (LOGS / path).is_dir():
        path = "healthy-noisy-torchrun-w3"
    assert firstfault("diagnose", LOGS / path / "logs", "--check").returncode == code


def test_extract_and_diagnose_elsewhere(tmp_path: Path) -> None:
    logs = LOGS / "node-lost-torchrun-2node-c10d-w4" / "logs"
    parts = []
    for node in ("node-0", "node-1"):
        parts.append(tmp_path / f"{node}.json")
        assert firstfault("extract", logs / f"{node}.log", "-o", parts[-1]).returncode == 0
    answer = json.loads(firstfault("diagnose", *parts, "--format", "json").stdout)
    assert answer["initiating_ranks"] == [2, 3]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["diagnose", "absent.log"], "no such file or folder"),
        (["diagnose", "empty-folder"], "no log file in this folder"),
        (["diagnose", "binary.log"], "a binary file"),
        (["explain", "zzzz-nothing-like-it"], "nothing is known"),
        (["list", "--area", "nowhere"], "no area"),
        (["check-signatures", "absent"], "no such folder"),
        (["fix", "no-such-fix", "train.py"], "no-such-fix"),
        (["diagnose", ""], "an empty path"),
        (["diagnose", "a" * 300], "no such file or folder"),
        (["diagnose", "noise.log"], "a binary file"),
        (["extract", "run.log", "-o", "run.log"], "would overwrite"),
        (["check-signatures", "empty-folder"], "no signature in this folder"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "empty-folder").mkdir()
    (tmp_path / "binary.log").write_bytes(b"\x7fELF" + bytes(200))
    (tmp_path / "train.py").write_text("x = 1\n")
    (tmp_path / "run.log").write_text("step 1\n")
    (tmp_path / "noise.log").write_bytes(random.Random(7).randbytes(5000))
    done = firstfault(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == b""
    assert sentence in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


def test_an_empty_text_is_no_failure() -> None:
    answer = json.loads(firstfault("diagnose", "-", "--format", "json").stdout)
    assert answer["verdict"] == "no_failure"
    assert "nothing to read" in answer["summary"]


def test_a_text_that_just_ends_is_a_failure_when_the_run_failed() -> None:
    progress = b"epoch 0 step 12 loss 1.41\nepoch 1 step 24 loss 1.40\n"
    quiet = json.loads(firstfault("diagnose", "-", "--format", "json", text=progress).stdout)
    failed = json.loads(firstfault("diagnose", "-", "--run-exit-code", "137", "--format", "json", text=progress).stdout)
    assert quiet["verdict"] == "no_failure"
    assert (failed["verdict"], failed["cause"]["id"]) == ("failure", "process/killed-sigkill")


def test_one_unreadable_file_among_many_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(RUN.read_bytes())
    os.mkfifo(tmp_path / "b.log")
    answer = json.loads(firstfault("diagnose", tmp_path, "--format", "json").stdout)
    assert answer["initiating_ranks"] == [1]
    assert any("b.log" in note for note in answer["notes"])


def test_a_broken_custom_signature_is_one_clear_line(tmp_path: Path) -> None:
    folder = tmp_path / ".firstfault" / "signatures" / "mine"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text('titel = "x"\n')
    done = firstfault("diagnose", RUN, cwd=tmp_path)
    assert done.returncode == 2
    assert "broken.toml" in done.stderr.decode()
    assert "titel" in done.stderr.decode()


def test_the_search_key_of_the_web_leads_to_the_family() -> None:
    done = firstfault("explain", "RuntimeError: can't pickle multiprocessing objects")
    assert done.returncode == 0
    assert "process/" in done.stdout.decode()
    answer = json.loads(
        firstfault(
            "diagnose", "-", "--format", "json", text=b"RuntimeError: can't pickle multiprocessing objects\n"
        ).stdout
    )
    assert answer["cause"]["id"].startswith("process/")
    assert answer["fix"]["steps"]
    assert answer["verify"]["command"]


def test_a_pattern_that_would_hang_is_skipped_and_named(tmp_path: Path) -> None:
    folder = tmp_path / ".firstfault" / "signatures" / "mine"
    folder.mkdir(parents=True)
    (folder / "slow.toml").write_text(
        """title = "Slow"
provenance = "memory"
meaning = "x"
fix = ["x"]
references = ["https://example.org/slow"]
[[patterns]]
regex = '(?:a|aa)+b shuttle'
role = "initiator"
"""
    )
    lines = b"b shuttle " + b"a" * 80 + b"c b shuttle\n"
    done = firstfault("diagnose", "-", "--format", "json", text=lines, cwd=tmp_path)
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert any("mine/slow" in note for note in answer["notes"])


def test_nothing_leaves_the_machine() -> None:
    probe = (
        "import sys; seen = []\n"
        "watched = {'socket.connect', 'socket.bind', 'socket.getaddrinfo', 'socket.gethostbyname'}\n"
        "sys.addaudithook(lambda event, _: seen.append(event) if event in watched else None)\n"
        "from firstfault import cli\n"
        f"cli.main(['diagnose', {str(RUN)!r}, '--format', 'json']); cli.main(['explain', 'cuda'])\n"
        "print(seen, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


def test_the_command_line_imports_no_protocol_and_no_codemod_library() -> None:
    probe = "import sys, firstfault.cli; print([m for m in ('pygls', 'lsprotocol', 'libcst') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_environment() -> None:
    assert "default start method" in firstfault("environment").stdout.decode()
