"""Say what each attribution rule is for: how many recorded incidents it decides, and what goes wrong without it.

Usage: python benchmarks/ablation.py [FOLDER ...]   (folders of incidents; default: tests/logs and tests/lab)
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from firstfault import analysis, catalogue
from firstfault.attribution import RULES, accounts, runs
from firstfault.attribution.case import Case, RunFacts

TESTS = Path(__file__).parents[1] / "tests"
SIGNATURES = catalogue.builtin()
Answer = tuple[tuple[int, ...] | None, str | None]


def cases(folders: Sequence[Path]) -> Iterator[tuple[Case, list[list[int]] | None]]:
    """Yield each failed incident's case and the accepted initiating ranks (None: the log cannot tell)."""
    for folder in folders:
        for path in sorted([*folder.glob("*/expected.json"), *folder.glob("*/truth.json")]):
            truth = json.loads(path.read_text())
            if "verdict" in truth or truth.get("cause", "").startswith("none/"):
                continue
            evidence = analysis.read(analysis.Request(paths=(path.parent / "logs",)), SIGNATURES)
            yield accounts.build(runs.last_run(evidence), SIGNATURES, RunFacts()), _accepted(truth)


def _accepted(truth: dict[str, object]) -> list[list[int]] | None:
    ranks = truth["initiating_ranks"]
    if "causes" in truth:
        return ranks  # type: ignore[return-value]
    return [ranks, *truth.get("accept_ranks", [])] if truth.get("decidable", True) else None  # type: ignore


def answer(case: Case, without: str | None) -> tuple[str | None, Answer]:
    """Return the rule that decides and what it says, with one rule left out."""
    for rule in RULES:
        if rule.__name__ != without and (found := rule(case)) is not None:
            return rule.__name__, (found.ranks, found.cause)
    return None, (None, None)


def kind(ranks: tuple[int, ...] | None, accepted: list[list[int]] | None) -> str:
    """Judge an answer's ranks."""
    if ranks is None:
        return "open"
    return "right" if accepted is not None and sorted(ranks) in map(sorted, accepted) else "wrong"


def main() -> None:
    """Print a row per rule."""
    folders = [Path(a) for a in sys.argv[1:]] or [TESTS / "logs", TESTS / "lab"]
    known = list(cases(folders))
    decided = Counter(answer(case, None)[0] for case, _ in known)
    print(f"{len(known)} failed incidents\n{'rule':26} decides  without it: right->open right->wrong cause changes")
    for rule in RULES:
        name, moved, causes = rule.__name__, Counter[str](), 0
        for case, accepted in known:
            (_, before), (_, after) = answer(case, None), answer(case, name)
            if before != after:
                moved[f"{kind(before[0], accepted)}->{kind(after[0], accepted)}"] += 1
                causes += before[1] != after[1]
        print(f"{name:26} {decided[name]:7} {moved['right->open']:24} {moved['right->wrong']:12} {causes:13}")


if __name__ == "__main__":
    main()
