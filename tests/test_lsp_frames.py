"""Which line a frame of a log means, and where marked lines go when their file is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstfault.lsp import edits
from firstfault.lsp.frames import Files, Spot, find_line, locate
from firstfault.model import Frame

SCRIPT = """import torch

def warm_up(model, x):
    return model(x)

def train(model, x):
    for step in range(3):
        loss = model(x).sum()
        loss.backward()
"""
FRAME = Frame("/workspace/job/src/train.py", 9, "train", "loss.backward()")


def write(root: Path, *names: str, text: str = SCRIPT) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def where(root: Path, frame: Frame, *near: str, **documents: str) -> str | None:
    """Return the file and line, counted from 1, that a frame is found at."""
    opened = {root / name: text for name, text in documents.items()}
    spot = locate(frame, Files((root,), tuple(root / name for name in near), opened))
    return f"{spot.path.relative_to(root).as_posix()}:{spot.line + 1}" if spot else None


@pytest.mark.parametrize(
    ("files", "near", "found"),
    [
        (["train.py"], [], "train.py:9"),
        (["src/train.py", "train.py"], [], "src/train.py:9"),
        (["deep/down/job/src/train.py", "src/train.py"], [], "deep/down/job/src/train.py:9"),
        (["a/train.py", "b/train.py"], [], None),
        (["a/train.py", "b/train.py"], ["b/logs"], "b/train.py:9"),
        (["node_modules/x/src/train.py", ".venv/src/train.py"], [], None),
        (["other.py"], [], None),
    ],
)
def test_the_longest_path_wins_then_the_nearest(
    tmp_path: Path, files: list[str], near: list[str], found: str | None
) -> None:
    write(tmp_path, *files)
    assert where(tmp_path, FRAME, *near) == found


def test_a_longer_path_with_another_text_loses(tmp_path: Path) -> None:
    write(tmp_path, "src/train.py", text="print('something else')\n")
    write(tmp_path, "train.py")
    assert where(tmp_path, FRAME) == "train.py:9"


def test_windows_paths_are_understood_anywhere(tmp_path: Path) -> None:
    write(tmp_path, "src/train.py")
    assert where(tmp_path, Frame(r"C:\job\src\train.py", 9, "train", "loss.backward()")) == "src/train.py:9"


def test_a_file_outside_the_workspace_is_found_by_its_own_path(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/train.py")
    frame = Frame(str(tmp_path / "elsewhere" / "train.py"), 9, "train", "loss.backward()")
    assert locate(frame, Files()) == Spot(tmp_path / "elsewhere" / "train.py", 8, "        loss.backward()")


def test_the_editors_text_counts_more_than_the_disks(tmp_path: Path) -> None:
    write(tmp_path, "train.py")
    assert where(tmp_path, FRAME, **{"train.py": "# new\n" + SCRIPT}) == "train.py:10"
    assert where(tmp_path, FRAME, **{"train.py": "# all gone\n"}) is None


@pytest.mark.parametrize("path", ["<stdin>", "<frozen runpy>", "/tmp/ipykernel_7/1234.py", ""])
def test_what_is_no_file_is_nowhere(tmp_path: Path, path: str) -> None:
    write(tmp_path, "train.py")
    assert where(tmp_path, Frame(path, 9, "train", "loss.backward()")) is None


@pytest.mark.parametrize("name", ["Cell In[3]", "/tmp/ipykernel_7/1234.py", "<ipython-input-3-ab12cd34ef56>"])
def test_a_notebooks_frame_is_the_one_open_cell_with_its_line(tmp_path: Path, name: str) -> None:
    cell, other = tmp_path / "train.ipynb#W1sZmlsZQ", tmp_path / "train.ipynb#W2sZmlsZQ"
    frame = Frame(name, 2, "<module>", "    model(x)")
    texts = {cell: "for x in loader:\n    model(x)\n", other: "import torch\n", tmp_path / "a.py": "    model(x)\n"}
    assert locate(frame, Files((tmp_path,), (), texts)) == Spot(cell, 1, "    model(x)")
    assert locate(frame, Files((tmp_path,), (), {**texts, other: texts[cell]})) is None, "two cells have the line"


def test_a_frame_without_its_source_line_is_nowhere(tmp_path: Path) -> None:
    write(tmp_path, "train.py")
    assert where(tmp_path, Frame("/workspace/job/train.py", 9, "train")) is None


@pytest.mark.parametrize(
    ("text", "frame", "line"),
    [
        (SCRIPT, FRAME, 9),
        ("\n\n" + SCRIPT, FRAME, 11),
        (SCRIPT.replace("backward()", "backward(retain_graph=True)"), FRAME, None),
        ("a()\nb()\na()\n", Frame("x.py", 2, "<module>", "a()"), None),  # both are as near
        ("a()\nb()\nc()\na()\n", Frame("x.py", 3, "<module>", "a()"), 4),
        ("def f():\n    a()\n\n\n\ndef g():\n    a()\n", Frame("x.py", 1, "g", "a()"), 7),
        ("def f(:\n  a()\n", Frame("x.py", 9, "f", "a()"), 2),  # a file that does not parse
        ("x = 1\f\ny = 2\n", Frame("x.py", 2, "<module>", "y = 2"), 2),
        ("", FRAME, None),
    ],
)
def test_a_line_is_found_by_number_then_by_text(text: str, frame: Frame, line: int | None) -> None:
    found = find_line(edits.lines_of(text), frame)
    assert (None if found is None else found + 1) == line


@pytest.mark.parametrize(
    ("after", "line"),
    [
        ("one\ntwo\nthree\nfour\n", 3),
        ("zero\none\ntwo\nthree\nfour\n", 4),
        ("three\nfour\n", 1),
        ("one\ntwo\nthree\nand a half\nfour\n", 3),
        ("one\ntwo\n\nthree\nfour\n", 4),
        ("one\ntwo\nthree!\nfour\n", None),
        ("one\nfour\n", None),
        ("", None),
        ("four\nthree\ntwo\none\n", 2),
        ("one\r\ntwo\r\nthree\r\nfour\r\n", 3),
    ],
)
def test_a_marked_line_moves_and_ends(after: str, line: int | None) -> None:
    before = edits.lines_of("one\ntwo\nthree\nfour\n")
    found = edits.followed(2, "three", before, edits.lines_of(after))
    assert (None if found is None else found + 1) == line


def test_an_edited_line_does_not_jump_to_its_twin() -> None:
    before = ["a()", "b()", "a()", "c()"]
    assert edits.followed(2, "a()", before, ["a()", "b()", "aa()", "c()"]) is None
    assert edits.followed(2, "a()", before, ["a()", "b()", "x()", "a()", "c()"]) == 3
