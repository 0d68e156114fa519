"""Runs that ended well: nothing failed, and no signature but a clue's is found where nothing was handled."""

import lzma
from pathlib import Path

import pytest

from firstfault import analysis, catalogue, matching
from firstfault.extraction import extract
from firstfault.reading import Opened

HERE = Path(__file__).parent / "healthy"
RUNS = sorted(HERE.glob("*.log.xz"))
LINES = [line for line in (HERE / "innocent.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
SIGNATURES = catalogue.builtin()


def text_of(path: Path) -> str:
    return lzma.decompress(path.read_bytes()).decode()


def test_five_megabytes_of_them() -> None:
    assert sum(len(text_of(path)) for path in RUNS) >= 5_000_000


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.name.partition(".")[0])
def test_a_healthy_run_has_no_failure_and_no_telling_signature(path: Path) -> None:
    text = text_of(path)
    assert analysis.diagnose(analysis.Request(text=text)).verdict == "no_failure"
    evidence = extract([Opened(None, "text", text)], SIGNATURES)
    found = {m.finding.signature for m in evidence.messages if m.finding.role != "context"}
    for traceback in evidence.tracebacks:
        if traceback.uncaught:
            found |= {f.signature for f in (traceback.finding, *traceback.mentions) if f and f.role != "context"}
    assert found == set()


@pytest.mark.parametrize("line", LINES)
def test_an_innocent_line(line: str) -> None:
    assert [f.signature.id for f in matching.match_text(line, SIGNATURES) if f.pattern.role != "context"] == []
    assert (
        analysis.diagnose(analysis.Request(text=f"step 1 loss 0.5\n{line}\nstep 2 loss 0.4\n")).verdict == "no_failure"
    )
