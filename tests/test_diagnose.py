"""Whole incidents: real logs of failed and healthy runs, with what is known to have happened.

`logs/`: incidents of the laboratory and, as `pub-*`, rebuilt from public reports; `lab/`: more of the laboratory.

`expected.json`: `initiating_ranks` lists the accepted answers, null where the log cannot tell (then only null, or the
whole world, is honest); `causes` the accepted ids; `verdict` for texts in which nothing failed.
"""

import functools
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firstfault import analysis, catalogue, evidence_file, extraction, reading
from firstfault.attribution.case import RunFacts
from firstfault.diagnosis import Diagnosis

HERE = Path(__file__).parent
MISSES: dict[str, dict[str, str]] = json.loads((HERE / "known_misses.json").read_text())
SIGNATURES = catalogue.builtin()


def expected(incident: Path) -> dict[str, Any]:
    """Return what is known of an incident, from `expected.json` or from the laboratory's `truth.json`."""
    own = incident / "expected.json"
    truth: dict[str, Any] = json.loads((own if own.exists() else incident / "truth.json").read_text())
    if own.exists():
        return truth
    if truth["cause"].startswith("none/"):
        return {"verdict": "no_failure"}
    ranks = [truth["initiating_ranks"], *truth.get("accept_ranks", [])]
    decidable = truth.get("decidable", True)
    return {
        "initiating_ranks": ranks if truth.get("rank_decidable", decidable) else None,
        "causes": [truth["cause"], *truth.get("accept_causes", [])],
        "cause_decidable": truth.get("cause_decidable", decidable),
        "world_size": truth["world_size"],
        "only": truth["initiating_ranks"],
    }


INCIDENTS = sorted(path.parent for path in (*HERE.glob("logs/*/expected.json"), *HERE.glob("lab/*/truth.json")))
IDS = [path.name for path in INCIDENTS]
FAILED = [p for p in INCIDENTS if "verdict" not in expected(p)]


@functools.cache
def diagnosed(incident: Path) -> Diagnosis:
    return analysis.diagnose(analysis.Request(paths=(incident / "logs",)))


def rank_is_honest(diagnosis: Diagnosis, wanted: dict[str, Any], *, may_be_open: bool) -> bool:
    got = diagnosis.initiating_ranks
    if wanted["initiating_ranks"] is None:
        return got is None or len(got) >= wanted["world_size"] or list(got) == wanted.get("only")
    return (got is None and may_be_open) or (got is not None and sorted(got) in map(sorted, wanted["initiating_ranks"]))


@pytest.mark.parametrize("incident", INCIDENTS, ids=IDS)
def test_incident(incident: Path) -> None:
    wanted, diagnosis, missed = expected(incident), diagnosed(incident), MISSES.get(incident.name, {})
    if "verdict" in wanted:
        assert diagnosis.verdict == wanted["verdict"]
        return
    assert diagnosis.verdict != "no_failure"
    rank = rank_is_honest(diagnosis, wanted, may_be_open=False)
    assert rank != ("rank" in missed), diagnosis.summary
    if wanted["cause_decidable"]:
        assert diagnosis.cause is not None
        assert (diagnosis.cause.id in wanted["causes"]) != ("cause" in missed), diagnosis.cause
    if diagnosis.initiating_ranks is None or diagnosis.cause is None or diagnosis.cause.confidence == "possible":
        assert diagnosis.missing_facts


def test_known_misses_are_known() -> None:
    assert set(MISSES) <= set(IDS)


@pytest.mark.parametrize("incident", INCIDENTS, ids=IDS)
def test_answer_keeps_the_contract(incident: Path) -> None:
    answer = diagnosed(incident).as_json()
    assert json.loads(json.dumps(answer)) is not None
    assert set(answer) == KEYS
    assert sum(item["text"].count("\n") + 1 for item in answer["evidence"]) <= 200
    assert all(item["text"].count("\n") < 40 for item in answer["evidence"])
    assert len({rank["rank"] for rank in answer["ranks"]}) == len(answer["ranks"])


KEYS = {
    *(
        "schema_version",
        "verdict",
        "cause",
        "initiating_ranks",
        "collateral_ranks",
        "world_size",
        "attempt",
        "launcher",
    ),
    *("framework", "ranks", "summary", "reasoning", "evidence", "location", "fix", "verify", "missing_facts"),
    *("prevention", "references", "related", "notes"),
}


def same(a: Diagnosis, b: Diagnosis) -> bool:
    return (a.verdict, a.initiating_ranks, a.cause) == (b.verdict, b.initiating_ranks, b.cause)


@pytest.mark.parametrize("incident", INCIDENTS, ids=IDS)
def test_evidence_read_in_parts_gives_the_same_answer(incident: Path, tmp_path: Path) -> None:
    texts, _ = reading.find([incident / "logs"])
    files = [tmp_path / f"{i}.json" for i in range(len(texts))]
    for text, file in zip(texts, files, strict=True):
        evidence_file.write(extraction.extract([text], SIGNATURES), file)
    merged = evidence_file.merge([evidence_file.read(file) for file in files])
    assert same(analysis.conclude(merged, SIGNATURES, RunFacts()), diagnosed(incident))


@pytest.mark.parametrize("incident", INCIDENTS, ids=IDS)
def test_without_hyperscan_the_answer_is_the_same(incident: Path) -> None:
    texts, _ = reading.find([incident / "logs"])
    slow = extraction.extract(texts, SIGNATURES, fast=False)
    assert same(analysis.conclude(slow, SIGNATURES, RunFacts()), diagnosed(incident))


def changed(incident: Path, seed: int, change: Any) -> Diagnosis:
    texts, _ = reading.find([incident / "logs"])
    opened = [
        reading.Opened(None, t.name, t.path.read_bytes().decode("utf-8", "surrogateescape")) for t in texts if t.path
    ]
    evidence = extraction.extract(change(opened, random.Random(seed)), SIGNATURES)
    return analysis.conclude(evidence, SIGNATURES, RunFacts())


def shuffled(texts: list[reading.Opened], chance: random.Random) -> list[reading.Opened]:
    return chance.sample(texts, len(texts))


def renamed(texts: list[reading.Opened], _: random.Random) -> list[reading.Opened]:
    return [reading.Opened(None, t.name, re.sub(r"\bnode-(\d)", r"gpu\g<1>a", t.text or "")) for t in texts]


def later(texts: list[reading.Opened], chance: random.Random) -> list[reading.Opened]:
    """Shift the minutes of one text's stamps: its host's clock is wrong."""
    odd = chance.randrange(len(texts))
    shift = lambda m: f"{m[1]}:{(int(m[2]) + 7) % 60:02d}:{m[3]}"  # noqa: E731
    return [
        reading.Opened(None, t.name, re.sub(r"\b(\d\d):(\d\d):(\d\d)", shift, t.text or "")) if i == odd else t
        for i, t in enumerate(texts)
    ]


def chattering(texts: list[reading.Opened], chance: random.Random) -> list[reading.Opened]:
    """Add what a healthy rank prints: more of the ordinary first words of one that is there."""
    index = chance.randrange(len(texts))
    found = re.search(r"^.*\bINFO rank \d+: .*\n", texts[index].text or "", re.MULTILINE)
    more = found[0].replace(": 96 rows", ": heartbeat") * 3 if found else ""
    return [replace(t, text=more + (t.text or "")) if i == index else t for i, t in enumerate(texts)]


def beheaded(texts: list[reading.Opened], chance: random.Random) -> list[reading.Opened]:
    def cut(text: str) -> str:
        lines = text.splitlines(True)
        return "".join(lines[chance.randrange(len(lines) // 3 + 1) :])

    return [reading.Opened(None, t.name, cut(t.text or "")) for t in texts]


@pytest.mark.parametrize("incident", FAILED, ids=[p.name for p in FAILED])
@pytest.mark.parametrize("change", [shuffled, renamed, later, chattering, beheaded])
def test_a_harmless_change_never_makes_a_right_answer_wrong(incident: Path, change: Any) -> None:
    wanted, before = expected(incident), diagnosed(incident)
    if not rank_is_honest(before, wanted, may_be_open=True):
        return  # not a right answer to begin with: a known miss
    diagnosis = changed(incident, len(incident.name), change)
    gone = diagnosis.verdict == "no_failure" and change is beheaded  # the cut took the error itself
    assert gone or rank_is_honest(diagnosis, wanted, may_be_open=True), diagnosis.summary
