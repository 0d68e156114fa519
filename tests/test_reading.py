"""Paths and bytes of every shape: read, or said in one sentence why not."""

import bz2
import gzip
import lzma
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstfault import reading
from firstfault.errors import FirstfaultError
from firstfault.reading import Opened

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def blocks(text: Opened) -> Iterator[tuple[int, bytes]]:
    """Yield the blocks of a text as (number of the first line, bytes)."""
    number = 1
    for block in map(reading.tidy, reading.chunks(text)):
        yield number, bytes(block.data[: block.size])
        number += block.lines


def lines_of(text: Opened) -> list[str]:
    return [part for _, data in blocks(text) for line in data.split(b"\n") for part in reading.decode(line)]


def write(path: Path, data: bytes) -> Opened:
    path.write_bytes(data)
    ((text), _) = reading.find([path])
    return text[0]


def test_bad_bytes_are_shown_and_not_lost(tmp_path: Path) -> None:
    assert lines_of(write(tmp_path / "a.log", b"caf\xe9 \xff ok"))[0] == "caf\\xe9 \\xff ok"


def test_escape_sequences_and_nuls_go(tmp_path: Path) -> None:
    data = b"\x1b[36m(Worker pid=3)\x1b[0m x\0y \x1b]8;;file:///t\x07link\x1b]8;;\x07\n"
    assert lines_of(write(tmp_path / "a.log", data))[0] == "(Worker pid=3) xy link"


def test_carriage_returns_are_separate_states_and_crlf_is_one_line(tmp_path: Path) -> None:
    assert lines_of(write(tmp_path / "a.log", b" 10%\r 20%\rdone\r\nnext\r\n")) == [" 10%", " 20%", "done", "next", ""]


PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd.compress}


@pytest.mark.parametrize(("suffix", "pack"), PACKERS.items())
def test_compressed(tmp_path: Path, suffix: str, pack: object) -> None:
    assert callable(pack)
    assert lines_of(write(tmp_path / f"a.log{suffix}", pack(b"one\ntwo\n")))[:2] == ["one", "two"]


def test_a_truncated_archive_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(gzip.compress(os.urandom(1 << 16).hex().encode())[:-900])
    text = Opened(path, path.name)
    with pytest.raises(FirstfaultError, match="broke off"):
        lines_of(text)


def test_utf_16_is_read_by_its_mark(tmp_path: Path) -> None:
    text = "step 1\nKeyError: 'café'\n"
    assert lines_of(write(tmp_path / "a.log", text.encode("utf-16")))[:2] == ["step 1", "KeyError: 'café'"]


def test_an_escape_sequence_without_end_keeps_the_following_lines(tmp_path: Path) -> None:
    assert lines_of(write(tmp_path / "a.log", b"\x1b]0;title never closed\nstep 1\n"))[1] == "step 1"


def test_a_cut_archive_gives_what_it_still_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(gzip.compress(b"step 1\n" * 20_000 + os.urandom(1 << 16).hex().encode())[:-30_000])
    read: list[bytes] = []
    with pytest.raises(FirstfaultError, match="broke off"):
        read.extend(data for _, data in blocks(Opened(path, "a")))  # keeps what came before
    assert b"step 1" in b"".join(read)


def test_line_numbers_are_exact_over_blocks(tmp_path: Path) -> None:
    count = 3 * reading.BLOCK // 20
    path = tmp_path / "a.log"
    path.write_bytes(b"".join(b"line %014d\n" % n for n in range(1, count + 1)))
    for number, data in blocks(Opened(path, "a")):
        assert data.startswith(b"line %014d\n" % number)


def test_a_line_without_end_needs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"x" * (8 << 20) + b"\nlast\n")
    found = [data for _, data in blocks(Opened(path, "a"))]
    assert max(map(len, found)) <= 2 * reading.BLOCK
    assert found[-1].endswith(b"last\n")


def test_folders_are_read_in_natural_order_without_loops(tmp_path: Path) -> None:
    for name in ("rank-10.log", "rank-9.log", "sub/rank-1.log"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    texts, notes = reading.find([tmp_path])
    assert [t.name for t in texts] == ["rank-9.log", "rank-10.log", "sub/rank-1.log"]
    assert notes == []


def test_a_fifo_and_a_binary_beside_a_log_are_noted(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.log")
    (tmp_path / "core.log").write_bytes(b"\x7fELF" + bytes(100))
    (tmp_path / "a.log").write_text("x\n")
    texts, notes = reading.find([tmp_path])
    assert [t.name for t in texts] == ["a.log"]
    assert len(notes) == 2


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda p: None, "no such file or folder"),
        (lambda p: p.mkdir(), "no log file in this folder"),
        (lambda p: p.write_bytes(b"\x80\x04\x95" + bytes(50)), "a binary file"),
        (os.mkfifo, "not a regular file"),
    ],
    ids=["absent", "empty-folder", "pickle", "fifo"],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, make: object, sentence: str) -> None:
    assert callable(make)
    make(tmp_path / "thing")
    with pytest.raises(FirstfaultError, match=sentence):
        reading.find([tmp_path / "thing"])


@given(st.binary(max_size=4000))
def test_any_bytes_are_read(data: bytes) -> None:
    text = Opened(None, "text", data.decode("utf-8", "surrogateescape"))
    numbers = [number for number, _ in blocks(text)]
    assert numbers == sorted(numbers)
    lines_of(text)
