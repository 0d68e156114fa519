"""Every fix, by its cases: before -> after exactly, after -> after, no after.py = untouched; some are really run."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firstfault import fixes
from firstfault.errors import FirstfaultError

FOLDER = Path(__file__).parent / "fixes"
CASES = sorted(path.parent.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*/before.py"))
RUNNABLE = [case for case in CASES if (FOLDER / case / "run").exists()]
# What the unfixed program says
FAILURES = {
    "main-guard": r"has finished its bootstrapping phase|before the\s+current process has finished",
    "start-method-once": r"context has already been set",
    "lambda-to-function": r"Can't (pickle|get) local object|Can't pickle .*<lambda>",
}
WITH_LIBCST = """
import sys
from firstfault import fixes
for fix in fixes.IDS:
    fixes.describe(fix)
print("libcst" in sys.modules)
"""


def read(case: str, name: str) -> str:
    return (FOLDER / case / name).read_bytes().decode()


def said(case: str) -> str:
    """Return what the failed run printed, where the fix reads it."""
    return read(case, "said.txt") if (FOLDER / case / "said.txt").exists() else ""


def expected(case: str) -> str:
    return read(case, "after.py" if (FOLDER / case / "after.py").exists() else "before.py")


def edited(old: str, edits: list[fixes.Edit]) -> str:
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", old)
    for edit in reversed(edits):
        lines[edit.start_line : edit.end_line] = [edit.new_text]
    return "".join(lines)


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    fix, before, after = case.split("/", maxsplit=1)[0], read(case, "before.py"), expected(case)
    assert fixes.apply(fix, before, None, said(case)) == after
    assert fixes.apply(fix, after, None, said(case)) == after, "a second time changes more"
    ast.parse(after)
    assert edited(before, fixes.edits(before, after)) == after


@pytest.mark.parametrize("fix", sorted(fixes.IDS))
def test_enough_cases(fix: str) -> None:
    own = [case for case in CASES if case.startswith(f"{fix}/")]
    assert len(own) >= 4
    assert any(expected(case) == read(case, "before.py") for case in own), "no case that must stay untouched"


def test_every_case_has_a_fix() -> None:
    assert {case.split("/")[0] for case in CASES} == fixes.IDS


@pytest.mark.parametrize("fix", sorted(fixes.IDS))
def test_description(fix: str) -> None:
    info = fixes.describe(fix)
    assert info.id == fix
    assert info.safety in {"safe", "needs-a-look"}
    assert info.title[0].isupper()
    assert not info.title.endswith(".")
    assert info.safe_when.endswith(".")


@pytest.mark.parametrize("case", RUNNABLE)
def test_really_mends(case: str) -> None:
    # Both programs at once: most of the time is spent starting interpreters
    before, after = (
        subprocess.Popen(
            [sys.executable, str(FOLDER / case / name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in ("before.py", "after.py")
    )
    output, why = after.communicate(timeout=60)
    _, failed = before.communicate(timeout=60)
    assert before.returncode != 0
    assert re.search(FAILURES[case.split("/", maxsplit=1)[0]], failed), failed
    assert after.returncode == 0, why
    assert output == read(case, "run")


def test_line_chooses_the_loader() -> None:
    head = "from torch.utils.data import DataLoader\n"
    loaders = "a = DataLoader(x, num_workers=1)\nb = DataLoader(y, num_workers=2)\nfor i in b:\n    pass\n"
    by_call = fixes.edits(head + loaders, fixes.apply("dataloader-spawn-context", head + loaders, 2))
    assert [edit.start_line for edit in by_call] == [1]
    by_name = fixes.edits(head + loaders, fixes.apply("dataloader-spawn-context", head + loaders, 4))
    assert [edit.start_line for edit in by_name] == [2]
    elsewhere = fixes.edits(head + loaders, fixes.apply("dataloader-spawn-context", head + loaders, 1))
    assert [edit.start_line for edit in elsewhere] == [1]
    assert elsewhere[0].end_line == 3


def test_line_tells_what_the_text_does_not() -> None:
    script = "from lib import launch\n\n\ndef run():\n    launch()\n\n\nrun()\n"
    guarded = 'from lib import launch\n\n\ndef run():\n    launch()\n\n\nif __name__ == "__main__":\n    run()\n'
    assert fixes.apply("main-guard", script) == script
    assert fixes.apply("main-guard", script, 5) == guarded
    assert fixes.apply("main-guard", script, 8) == guarded
    assert fixes.apply("main-guard", script, 1) == script
    once = "import multiprocessing as mp\n\n\ndef main():\n    mp.set_start_method('spawn')\n"
    assert fixes.apply("start-method-once", once) == once
    assert "force=True" in fixes.apply("start-method-once", once, 5)


def test_line_chooses_the_lambda() -> None:
    text = (
        "from torch.utils.data import DataLoader\n\n\ndef main(data):\n"
        "    a = DataLoader(data, num_workers=2, collate_fn=lambda rows: rows)\n"
        "    b = DataLoader(data, collate_fn=lambda rows: rows[0])\n"
    )
    assert "lambda rows: rows[0]" in fixes.apply("lambda-to-function", text)
    assert "return rows[0]" in (mended := fixes.apply("lambda-to-function", text, 6))
    assert "lambda rows: rows\n" not in mended
    assert "collate_fn=lambda rows: rows)" in mended


def test_fixes_go_together() -> None:
    text = "from torch.multiprocessing import set_start_method, spawn\nfrom w import run\n\n"
    text += 'set_start_method("spawn")\nspawn(run, nprocs=4)\n'
    both = fixes.apply("main-guard", fixes.apply("start-method-once", text))
    assert both.endswith(
        'if __name__ == "__main__":\n    set_start_method("spawn", force=True)\n\n    spawn(run, nprocs=4)\n'
    )


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(FirstfaultError, match="no fix named 'nonsense'"):
        fixes.apply("nonsense", "")
    with pytest.raises(FirstfaultError, match="no fix named"):
        fixes.describe("../evil")
    with pytest.raises(FirstfaultError, match="line 2 is not valid Python"):
        fixes.apply("main-guard", "x = 1\ndef (:\n")
    with pytest.raises(FirstfaultError, match="nested too deeply"):
        fixes.apply("main-guard", "x = " + "1 + " * 1_500 + "1\n")


@pytest.mark.parametrize("source", ["", "\n", "# only a comment\n", "\ufeffimport os\n", "x = 1", "\f\nx = 1\r"])
def test_nothing_to_do(source: str) -> None:
    for fix in fixes.IDS:
        for line in (None, 1, 99):
            assert fixes.apply(fix, source, line) == source


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("a\nb\nc\n", "a\nX\nc\n", [(1, 2, "X\n")]),
        ("a\r\nb\r\n", "a\r\nX\r\nb\r\n", [(1, 1, "X\r\n")]),
        ("a\nb", "a\nb\nc", [(1, 2, "b\nc")]),
        ("a\x0cb\u2028c\nd\n", "a\x0cb\u2028c\n", [(1, 2, "")]),
        ("", "a\n", [(0, 0, "a\n")]),
    ],
)
def test_edits(old: str, new: str, edits: list[tuple[int, int, str]]) -> None:
    assert fixes.edits(old, new) == [fixes.Edit(*edit) for edit in edits]
    assert edited(old, fixes.edits(old, new)) == new


def test_describing_does_not_import_libcst() -> None:
    result = subprocess.run([sys.executable, "-c", WITH_LIBCST], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout == "False\n"
