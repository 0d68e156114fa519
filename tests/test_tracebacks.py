"""Tracebacks of every shape: `tests/tracebacks/<case>.log` and what must be read from it."""

import json
from pathlib import Path
from typing import Any

import pytest

from firstfault import catalogue, extraction, reading
from firstfault.attribution.case import Statement
from firstfault.attribution.peers import user_frame
from firstfault.model import Traceback
from firstfault.parsing import unwrap

FOLDER = Path(__file__).parent / "tracebacks"
CASES = sorted(path.stem for path in FOLDER.glob("*.log"))
NOTHING = catalogue.Catalogue([])


def seen(traceback: Traceback, keys: set[str]) -> dict[str, Any]:
    place, frame = traceback.place, user_frame(Statement(traceback.place, "", None, None, traceback=traceback))
    everything: dict[str, Any] = {
        "rank": place.speaker.rank,
        "chain": [raised.text for raised in traceback.chain],
        "uncaught": traceback.uncaught,
        "ignored": traceback.ignored,
        "spawn_index": traceback.spawn_index,
        "lines": [place.line, place.end_line],
        "frames": [[f.path, f.line, f.function, f.code] for f in traceback.chain[0].frames],
        "user_frame": [frame.path, frame.line] if frame else None,
    }
    return {key: everything[key] for key in keys}


@pytest.mark.parametrize("case", CASES)
def test_traceback(case: str) -> None:
    expected = json.loads((FOLDER / f"{case}.json").read_text())
    texts, _ = reading.find([FOLDER / f"{case}.log"])
    found = extraction.extract(texts, NOTHING).tracebacks
    assert [seen(t, set(e)) for t, e in zip(found, expected, strict=True)] == expected


@pytest.mark.parametrize("width", [76, 80, 90])
def test_a_text_broken_at_a_fixed_width_is_read_as_it_was(width: int) -> None:
    whole = (FOLDER.parent / "seeds" / "fork-in-dataloader.log").read_text() * 2
    pieces = [line[i : i + width] for line in whole.splitlines() for i in range(0, max(len(line), 1), width)]
    assert len({piece for piece in pieces if len(piece) == width}) >= unwrap.FEWEST
    assert not any(len(line) % width == 0 for line in whole.splitlines() if line)
    read = [
        extraction.extract([reading.Opened(None, "x", text)], NOTHING).tracebacks for text in (whole, "\n".join(pieces))
    ]
    assert [t.chain for t in read[0]] == [t.chain for t in read[1]]
