"""Edits of launch files by their cases: before/ -> after/, no after/ = untouched; again changes nothing."""

from pathlib import Path

import pytest

from firstfault import catalogue, launch_files
from firstfault.errors import FirstfaultError

FOLDER = Path(__file__).parent / "launch_files"
CASES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*"))


def file_of(case: str) -> Path:
    (path,) = (p for p in (FOLDER / case / "before").rglob("*") if p.is_file())
    return path


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    path = file_of(case)
    before = path.read_text(encoding="utf-8")
    changed = FOLDER / case / "after" / path.relative_to(FOLDER / case / "before")
    after = changed.read_text(encoding="utf-8") if changed.exists() else before
    fix = case.partition("/")[0]
    assert launch_files.apply(fix, path, before) == after
    assert launch_files.apply(fix, path, after) == after
    windows = before.replace("\n", "\r\n")
    assert launch_files.apply(fix, path, windows) == after.replace("\n", "\r\n")


@pytest.mark.parametrize("fix", sorted(launch_files.FIXES))
def test_enough_cases(fix: str) -> None:
    own = [case for case in CASES if case.startswith(f"{fix}/")]
    assert any((FOLDER / case / "after").exists() for case in own)
    info = launch_files.FIXES[fix]
    assert info.title[0].isupper() and info.safe_when.endswith(".")


def test_signatures_name_fixes_that_exist() -> None:
    named = {fix for signature in catalogue.builtin().values() for fix in signature.launch_fixes}
    assert named == set(launch_files.FIXES)


def test_unknown_fix() -> None:
    with pytest.raises(FirstfaultError, match="no fix named 'nonsense'"):
        launch_files.apply("nonsense", Path(".env"), "")
