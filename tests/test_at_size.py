"""Runs of 64 and 1,024 ranks: real ranks' texts multiplied, one of them guilty."""

import random
import re
from pathlib import Path

import pytest

from firstfault import analysis, report
from firstfault.diagnosis import Diagnosis

LOGS = Path(__file__).parent / "logs"
SIZES = [64, 1024]


def renumbered(text: str, old: int, new: int) -> str:
    return re.sub(rf"(\[rank|\brank ){old}\b", rf"\g<1>{new}", text)


def multiplied(incident: str, guilty: int, innocent: int, size: int, chosen: int) -> dict[int, str]:
    """Return a text per rank: the guilty one's for the chosen rank, an innocent one's for all others."""
    logs = LOGS / incident / "logs"
    bad, good = ((logs / f"rank-{r}.log").read_text() for r in (guilty, innocent))
    return {r: renumbered(bad, guilty, r) if r == chosen else renumbered(good, innocent, r) for r in range(size)}


def in_files(texts: dict[int, str], folder: Path) -> Diagnosis:
    for rank, text in texts.items():
        (folder / f"rank-{rank}.log").write_text(text)
    return analysis.diagnose(analysis.Request(paths=(folder,)))


def interleaved(texts: dict[int, str], seed: int) -> Diagnosis:
    """Mix the ranks' lines as a launcher's pipe does: each rank's own order stays."""
    chance, lines = random.Random(seed), {r: t.splitlines(True) for r, t in texts.items()}
    order = [r for r, own in lines.items() for _ in own]
    chance.shuffle(order)
    iterators = {r: iter(own) for r, own in lines.items()}
    return analysis.diagnose(analysis.Request(text="".join(next(iterators[r]) for r in order)))


def check(diagnosis: Diagnosis, size: int, chosen: int, cause: str) -> None:
    assert diagnosis.initiating_ranks == (chosen,)
    assert diagnosis.cause is not None
    assert diagnosis.cause.id == cause
    assert diagnosis.world_size == size
    assert len(diagnosis.ranks) == size
    assert sum(item.text.count("\n") + 1 for item in diagnosis.evidence) <= 200
    assert len(report.text(diagnosis).splitlines()) < 150


@pytest.mark.parametrize("size", SIZES)
def test_one_of_many_files_fails_by_itself(size: int, tmp_path: Path) -> None:
    texts = multiplied("late-close-manual-w3", 1, 0, size, size - 5)
    check(in_files(texts, tmp_path), size, size - 5, "model/shape-matmul")


@pytest.mark.parametrize("size", SIZES)
def test_one_of_many_files_is_silent(size: int, tmp_path: Path) -> None:
    texts = multiplied("sigstop-manual-w3", 1, 0, size, size // 3)
    check(in_files(texts, tmp_path), size, size // 3, "collective/peer-hung")


@pytest.mark.parametrize("size", SIZES)
def test_one_of_many_in_one_text(size: int) -> None:
    texts = multiplied("late-close-manual-w3", 1, 2, size, 7)
    check(interleaved(texts, size), size, 7, "model/shape-matmul")
