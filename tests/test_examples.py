"""The scripts that `npm start` shows: each fails, is explained, mended by the fix that is offered, and runs then."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted((EXAMPLES / "demo").glob("*.py"))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *command]
    return subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_fails_is_mended_and_runs(script: Path, tmp_path: Path) -> None:
    shutil.copy(script, tmp_path)
    failed = run(tmp_path, script.name)
    assert failed.returncode == 1
    (tmp_path / "run.log").write_text(failed.stdout)
    facts = ["--run-exit-code", "1", "--command", f"python {script.name}", "--cwd", str(tmp_path)]
    answer = json.loads(run(tmp_path, "-m", "firstfault", "diagnose", "run.log", "--format", "json", *facts).stdout)
    assert (answer["verdict"], answer["cause"]["confidence"]) == ("failure", "certain")
    verify = ["-c", f"import subprocess; subprocess.run({answer['verify']['command']!r}, shell=True)"]
    before = run(tmp_path, *verify).stdout
    place = answer["location"]
    mended = run(tmp_path, "-m", "firstfault", "fix", answer["fix"]["code_fix"], f"{place['path']}:{place['line']}")
    assert mended.returncode == 0, mended.stdout
    again = run(tmp_path, script.name)
    assert again.returncode == 0, again.stdout
    assert "Traceback" not in again.stdout
    assert before != run(tmp_path, *verify).stdout, "the verification tells both states apart"


@pytest.mark.parametrize(
    ("log", "rank", "cause"),
    [("demo/eight-ranks/job.log", 2, "data/missing-file"), ("missing-field-log-dir", 2, "user/exception")],
)
def test_a_recorded_run_names_one_rank(log: str, rank: int, cause: str) -> None:
    answer = json.loads(run(EXAMPLES, "-m", "firstfault", "diagnose", log, "--format", "json").stdout)
    assert (answer["verdict"], answer["initiating_ranks"], answer["cause"]["id"]) == ("failure", [rank], cause)
