"""The three texts this product began with: cause, fix and proof, as the command line gives them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SEEDS = Path(__file__).parent / "seeds"
EXPECTED: dict[str, tuple[str, dict[str, Any] | None]] = {
    "fork-in-dataloader": (
        "process/cuda-in-forked-child",
        {"path": "/workspace/job/dataset.py", "line": 23, "function": "__getitem__"},
    ),
    "lightning-launcher": (
        "process/cuda-in-forked-child",
        {"path": "/home/user/project/train.py", "line": 41, "function": "<module>"},
    ),
    "search-key": ("process/mp-object-inheritance", None),
}


@pytest.mark.parametrize("seed", EXPECTED)
def test_seed(seed: str) -> None:
    command = [sys.executable, "-m", "firstfault", "diagnose", str(SEEDS / f"{seed}.log"), "--format", "json"]
    answer = json.loads(subprocess.run(command, capture_output=True, timeout=60, check=True).stdout)
    cause, location = EXPECTED[seed]
    assert (answer["verdict"], answer["cause"]["id"], answer["location"]) == ("failure", cause, location)
    assert answer["initiating_ranks"] == [0]
    assert answer["fix"]["steps"]
    assert answer["verify"]["command"]


def test_every_seed_is_expected() -> None:
    assert {path.stem for path in SEEDS.glob("*.log")} == set(EXPECTED)
