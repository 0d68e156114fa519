"""The parsed catalogue in the cache folder: the same as the files, and never believed when others could write it."""

import json
import os
from pathlib import Path

import pytest

from firstfault import catalogue, snapshot
from firstfault.catalogue import Catalogue

PARSED = Catalogue(catalogue.read_folder(catalogue.builtin_folder(), check=False))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(snapshot, "folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def load() -> Catalogue:
    return catalogue.builtin.__wrapped__()


def test_a_snapshot_gives_the_same_catalogue(cache: Path) -> None:
    first, second = load(), load()
    assert len(list(cache.glob("catalogue-*.json"))) == 1
    for loaded in (first, second):
        assert dict(loaded) == dict(PARSED)
        assert loaded.literals() == PARSED.literals()


def test_the_second_load_parses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    load()
    monkeypatch.setattr(catalogue, "_parse", lambda *_a, **_k: pytest.fail("a file was parsed"))
    assert dict(load()) == dict(PARSED)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"signatures": [{}], "literals": {}}', '{"signatures": 3}'])
def test_a_damaged_snapshot_is_replaced(cache: Path, text: str) -> None:
    load()
    (file,) = cache.glob("catalogue-*.json")
    file.write_text(text)
    assert dict(load()) == dict(PARSED)
    assert len(json.loads(file.read_text())["signatures"]) == len(PARSED)


@pytest.mark.skipif(os.name == "nt", reason="the mode of a file says nothing there")
def test_a_snapshot_that_others_can_write_is_not_believed(cache: Path) -> None:
    load()
    (file,) = cache.glob("catalogue-*.json")
    raw = json.loads(file.read_text())
    raw["signatures"][0]["title"] = "Somebody else's words"
    file.write_text(json.dumps(raw))
    file.chmod(0o666)
    assert dict(load()) == dict(PARSED)


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    assert dict(load()) == dict(PARSED)


def test_only_the_latest_snapshots_stay(cache: Path) -> None:
    cache.mkdir()
    for age in range(9):
        old = cache / f"catalogue-{age}.json"
        old.write_text("{}")
        os.utime(old, (age, age))
    load()
    assert len(list(cache.glob("catalogue-*.json"))) == snapshot.KEPT


def test_any_change_of_a_file_gives_another_key() -> None:
    keys = {
        snapshot.key_of(files)
        for files in ({"a/b": b"x"}, {"a/b": b"y"}, {"a/c": b"x"}, {}, {"a/b": b"x", "a/c": b"x"})
    }
    assert len(keys) == 5
