"""Rules for what ranks say about others: a named culprit, a vote, an absence, a position in a process group."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from firstfault.attribution.case import Case, Conclusion, Statement
from firstfault.diagnosis import MissingFact
from firstfault.wording import listing

NUMBER = re.compile(r"\d+")


def named_culprit(case: Case) -> Conclusion | None:
    """Conclude from a message that names the rank that did not come (monitoredBarrier, desync report)."""
    named: dict[int, Statement] = {}
    for statement in case.statements():
        text = statement.finding.captures.get("culprit", "") if statement.finding else ""
        for number in NUMBER.findall(text):
            named.setdefault(int(number), statement)
    if not named:
        return None
    ranks = tuple(sorted(named))
    first = named[ranks[0]]
    assert first.finding is not None
    reason = f"{case.ref(first.place)} names {listing(ranks)}: «{first.text[:160]}»"
    return Conclusion("named culprit", ranks, first.finding.signature, "likely", [reason], [first])


def majority_vote(case: Case) -> Conclusion | None:
    """Conclude from ranks that compare notes and disagree: the minority is odd; of two ranks nobody can tell."""
    said = [s for s in case.statements() if _is_ballot(s)]
    if not said or not said[0].finding:
        return None
    values, differs = _ballots(said)
    odd = _minority(values) if values else _differing(case, differs)
    cause = said[0].finding.signature
    place = case.ref(said[0].place)
    if odd is None:
        reason = f"{place}: the ranks disagree, and no majority tells which of them is the odd one."
        missing = MissingFact(
            "which rank runs the other code path or the other configuration",
            "print the arguments, the config and len(loader) on every rank and compare",
        )
        return Conclusion("majority vote", None, cause, "certain", [reason], said[:2], [missing])
    others = [r for r in values if r not in odd]
    told = f" ({listing(others)} agree with each other)" if others else ""
    reason = f"{place}: {listing(odd)} is the odd one out{told}: «{said[0].text[:140]}»"
    return Conclusion("majority vote", odd, cause, "certain", [reason], said[:4])


def _is_ballot(statement: Statement) -> bool:
    """Tell a text that compares ranks; one that does not name the first of them means its speaker."""
    captures = statement.finding.captures if statement.finding else {}
    return bool(captures.keys() & {"subject", "subject_value"})


def _ballots(said: list[Statement]) -> tuple[dict[int, str], dict[int, set[int]]]:
    """Return each rank's value where texts give both, and who differs from whom where they do not."""
    values: dict[int, str] = {}
    differs: dict[int, set[int]] = defaultdict(set)
    for nobody, statement in enumerate(said, 1):
        captures = statement.finding.captures if statement.finding else {}
        speaker = statement.rank if statement.rank is not None else -nobody  # somebody, but not known who
        subject, other = int(captures.get("subject", speaker)), int(captures.get("other", "0"))
        differs[subject].add(other)
        if "other_value" in captures:
            values[subject] = _normal(captures["subject_value"])
            values[other] = _normal(captures["other_value"])
    return values, differs


def _normal(value: str) -> str:
    return " ".join(value.split())


def _minority(values: dict[int, str]) -> tuple[int, ...] | None:
    counts = Counter(values.values()).most_common()
    if len(values) < 3 or len(counts) < 2 or counts[0][1] <= len(values) / 2:
        return None
    return tuple(sorted(r for r, v in values.items() if v != counts[0][0]))


def _differing(case: Case, differs: dict[int, set[int]]) -> tuple[int, ...] | None:
    """Judge ranks that differ from one reference: if all others do, the reference is odd; if a few do, they are."""
    references = {other for others in differs.values() for other in others}
    total = case.world or len(case.accounts)
    if len(references) != 1 or total < 3:
        return None
    if len(differs) == total - 1:
        return tuple(references)
    return tuple(sorted(differs)) if len(differs) < total / 2 and min(differs) >= 0 else None


def strikes_anyone(case: Case) -> Conclusion | None:
    """Leave open who is at fault in a mismatch that aborts whichever rank receives more, guilty or not."""
    said = [s for s in case.statements() if s.role == "either" and s.about is None and _of_a_rank(case, s)]
    first = next(iter(said), None)
    if first is None or first.finding is None or case.world == 1:
        return None
    reasons = [
        f"{case.ref(first.place)}: {first.text.strip().splitlines()[0][:160]}",
        "This strikes whichever rank receives more than it expected, so it does not tell which rank is the odd one.",
    ]
    missing = MissingFact(
        "what each rank called: the collective's fingerprints",
        "TORCH_DISTRIBUTED_DEBUG=DETAIL torchrun ...   # in a re-run",
    )
    return Conclusion("strikes anyone", None, first.finding.signature, "certain", reasons, [first], [missing])


def _of_a_rank(case: Case, statement: Statement) -> bool:
    signature = case.signature(statement)
    return bool(signature and signature.scope == "rank" and signature.area == "collective")


def never_came(case: Case) -> Conclusion | None:
    """Conclude that ranks waited at the start for others that never came: none of those that ran is guilty."""
    said = [s for s in [*case.statements(), *case.launcher_says] if s.about == "absent"]
    if not said:
        return None
    first = next((s for s in said if (g := case.signature(s)) and g.scope == "job"), said[0])
    if first.finding is None:
        return None
    captures = first.finding.captures
    joined, expected = captures.get("joined"), captures.get("expected")
    reasons = [f"{case.ref(first.place)}: {first.text.strip().splitlines()[0][:160]}"]
    if joined and expected:
        reasons.append(
            f"{joined} of {expected} came; {_absent(case, int(expected))} never did, and no rank that ran is at fault."
        )
    missing = MissingFact(
        "why the absent ranks or nodes never came",
        "look at their own log: was the process started, with the same MASTER_ADDR, MASTER_PORT and WORLD_SIZE?",
    )
    return Conclusion("never came", (), first.finding.signature, "certain", reasons, [first], [missing])


def _absent(case: Case, expected: int) -> str:
    ranks = sorted(set(range(expected)) - {s.rank for s in case.statements() if s.rank is not None})
    return listing(ranks) if 0 < len(ranks) < expected and case.launcher is None else "the rest"


def position(case: Case) -> Conclusion | None:
    """Conclude from how far each rank got, as watchdogs print it: who enqueued or completed least lags behind."""
    groups: dict[str, dict[int, dict[str, str]]] = defaultdict(dict)
    said: dict[int, Statement] = {}
    for statement in case.statements():
        captures = statement.finding.captures if statement.finding else {}
        if statement.rank is not None and captures.keys() & {"seq", "enqueued", "op"}:
            merged = groups[captures.get("group", "")].setdefault(statement.rank, {})
            groups[captures.get("group", "")][statement.rank] = merged | captures
            said.setdefault(statement.rank, statement)
    for members in groups.values():
        odd = _other_operation(case, members, said)
        if odd:
            return odd
        for key, words in (("enqueued", "launched"), ("completed", "completed"), ("seq", "reached")):
            conclusion = _laggard(case, members, said, key, words)
            if conclusion:
                return conclusion
    return None


def _other_operation(case: Case, members: dict[int, dict[str, str]], said: dict[int, Statement]) -> Conclusion | None:
    """Find the minority that ran another collective at the same number."""
    values = {r: f"{c['op']} {c.get('numel_in', '')}" for r, c in members.items() if "op" in c}
    numbers = {c.get("seq") for c in members.values()}
    odd = _minority(values) if len(numbers) == 1 else None
    if odd is None:
        return None
    first = said[odd[0]]
    reason = (
        f"{case.ref(first.place)}: {listing(odd)} ran another collective ({values[odd[0]].strip()}) than the others."
    )
    return Conclusion("position", odd, "collective/collective-mismatch", "likely", [reason], [first])


def _laggard(
    case: Case, members: dict[int, dict[str, str]], said: dict[int, Statement], key: str, words: str
) -> Conclusion | None:
    numbers = {r: int(c[key]) for r, c in members.items() if c.get(key, "").lstrip("-").isdigit()}
    if len(numbers) < 2 or len(set(numbers.values())) < 2:
        return None
    least = min(numbers.values())
    behind = tuple(r for r, n in sorted(numbers.items()) if n == least)
    if len(behind) * 2 >= len(numbers):
        return None
    ahead = max(numbers.values())
    first = said[behind[0]]
    reason = f"{case.ref(first.place)}: {listing(behind)} had {words} collective {least}, the others {ahead}."
    missing = MissingFact(
        "what that rank was doing instead", f"py-spy dump --pid PID_OF_RANK_{behind[0]}   # in a re-run"
    )
    return Conclusion("position", behind, "collective/straggler-timeout", "likely", [reason], [first], [missing])
