"""Rules for runs in which every voice is a consequence: silence, absence, place and kind of the complaint tell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from firstfault.attribution.case import Account, Case, Conclusion, Statement
from firstfault.diagnosis import MissingFact
from firstfault.model import Frame
from firstfault.parsing.tracebacks import is_user_code
from firstfault.wording import listing

# what rank 0 alone does while the others wait at the next collective
WORK = re.compile(
    r"tokeni[sz]|pre-?process|evaluat|validat|sav(?:e|ing)|checkpoint|download|index|cach|build|map:", re.I
)
WHY_IT_DIED = MissingFact(
    "how that process ended: no launcher line names its exit",
    "the launcher's console output; dmesg -T | grep -iE 'killed process|segfault'   # on that rank's host",
)
WHERE_IT_HANGS = MissingFact(
    "where that rank stands", "py-spy dump --pid PID   # on its host, in a re-run, while it hangs"
)


def complaining(case: Case) -> list[Account]:
    """Return the ranks that spoke of a peer."""
    return [a for a in case.accounts.values() if a.says("wait", "lost")]


def silent(case: Case) -> list[Account]:
    """Return the ranks that said nothing."""
    return [a for a in case.accounts.values() if not a.statements]


def sole(accounts: Iterable[Account]) -> Account | None:
    """Return the account when there is exactly one."""
    found = list(accounts)
    return found[0] if len(found) == 1 else None


def node_lost(case: Case) -> Conclusion | None:
    """Conclude that a node is gone: all its ranks fell silent without an end, while the others complain."""
    quiet, loud = silent(case), complaining(case)
    if len(quiet) < 2 or not loud or any(a.exits or a.closing for a in quiet):
        return None
    sources = {s.source for a in quiet for s in a.sightings}
    others = {s.source for a in case.accounts.values() if a.statements for s in a.sightings}
    if len(sources) != 1 or sources & others or not all(a.sightings for a in quiet):
        return None
    ranks = tuple(a.rank for a in quiet)
    name = case.evidence.sources[next(iter(sources))].name
    reason = f"{name} with {listing(ranks)} just ends, without an error and without its launcher's last words"
    place = case.ref(loud[0].statements[0].place)
    return Conclusion(
        "node lost", ranks, "launch/node-lost", "likely",
        [f"{reason}; the others lost their connections to it ({place})."], [loud[0].statements[0]],
        [MissingFact("what became of that node", "ping it; its kernel log; the scheduler's or cloud's event list")],
    )  # fmt: skip


def one_is_silent(case: Case) -> Conclusion | None:
    """Conclude that the one rank that says nothing is the one that all others lost or waited for."""
    loud = complaining(case)
    quiet = silent(case)
    frozen = sole(a for a in quiet if a.escalated)
    suspect = sole(quiet) or frozen or _few_rows(case, quiet) or _not_ended_by_launcher(quiet)
    if suspect is None or not loud or (suspect.end and suspect.end.signal == "SIGABRT"):
        return None  # an abort without a word strikes the innocent too
    lost, waited = [a for a in loud if a.says("lost")], [a for a in loud if a.says("wait")]
    if suspect.closing and lost and not waited and not suspect.escalated:
        return None  # it lived until its launcher ended it, so it is not the peer that they lost
    voice = (waited or lost)[0].statements[0]
    reasons = [_complaints(case, lost, waited)]
    rank = (suspect.rank,)
    fewer = _few_rows(case, [suspect])
    if fewer or (lost and not waited and _left_cleanly(case, suspect)):
        return _uneven(case, suspect, reasons, voice)
    if waited:
        return _late(case, suspect, reasons, voice)
    reasons.append(f"{listing(rank).capitalize()}'s own log just ends, so it is the peer that they lost.")
    return Conclusion("one is silent", rank, "process/died-silently", "likely", reasons, [voice], [WHY_IT_DIED])


def _complaints(case: Case, lost: list[Account], waited: list[Account]) -> str:
    parts = []
    if lost:
        parts.append(f"{listing(a.rank for a in lost)} lost a connection ({case.ref(lost[0].statements[0].place)})")
    if waited:
        parts.append(f"{listing(a.rank for a in waited)} waited in vain ({case.ref(waited[0].statements[0].place)})")
    return "; ".join(parts).capitalize() + "."


def _uneven(case: Case, suspect: Account, reasons: list[str], voice: Statement) -> Conclusion:
    amounts = _odd_amount(case, suspect.rank)
    if amounts:
        reasons.append(amounts)
    if _left_cleanly(case, suspect):
        reasons.append(f"The launcher's table leaves rank {suspect.rank} out: it had finished without an error.")
    missing = MissingFact("how many batches each rank has", "print(rank, len(loader)) on every rank before training")
    confidence = "certain" if amounts and _left_cleanly(case, suspect) else "likely"
    return Conclusion(
        "one is silent", (suspect.rank,), "data/uneven-inputs", confidence, reasons, [voice],  # type: ignore[arg-type]
        [] if amounts else [missing],
    )  # fmt: skip


def _late(case: Case, suspect: Account, reasons: list[str], voice: Statement) -> Conclusion:
    rank = suspect.rank
    if suspect.escalated:
        reasons.append(f"Rank {rank} did not even react to the launcher's SIGTERM: it was frozen or stuck.")
        return Conclusion(
            "one is silent", (rank,), "collective/peer-hung", "certain", reasons, [voice], [WHERE_IT_HANGS]
        )
    end = suspect.end
    last = suspect.last
    at_work = rank == 0 and last is not None and bool(WORK.search(last.last_text))
    if at_work or suspect.closing or (end and end.signal == "SIGTERM"):
        reasons.append(f"Rank {rank} was alive until the launcher ended it: it was late, not dead.")
        if last and last.last_text:
            where = f"{case.evidence.sources[last.source].name}:{last.last_line}"
            reasons.append(f"Its last words: «{last.last_text[:100]}» ({where}).")
        cause = "collective/rank0-long-work" if at_work else "collective/straggler-timeout"
        return Conclusion("one is silent", (rank,), cause, "likely", reasons, [voice], [WHERE_IT_HANGS])
    reasons.append(f"Nobody saw rank {rank}'s connection close, so it was alive and made no progress.")
    return Conclusion("one is silent", (rank,), "collective/peer-hung", "likely", reasons, [voice], [WHERE_IT_HANGS])


def _left_cleanly(case: Case, account: Account) -> bool:
    """Tell a rank that exited 0: torchelastic's table leaves it out, although its node's others are listed."""
    if account.listed or account.exits or account.closing or not case.evidence.rows or case.attempts > 1:
        return False
    listed_sources = {r.place.source for r in case.evidence.rows}
    return any(s.source in listed_sources for s in account.sightings)


def _few_rows(case: Case, accounts: Iterable[Account]) -> Account | None:
    """Return the one rank that reported less data than all others did."""
    return sole(a for a in accounts if _odd_amount(case, a.rank))


def _odd_amount(case: Case, rank: int) -> str:
    """Return a sentence when one rank's line about its data differs from the equal lines of all others."""
    for amounts in case.evidence.amounts.values():
        others = [n for r, n in amounts.items() if r != rank]
        if rank in amounts and len(others) >= 2 and len(set(others)) == 1 and amounts[rank] < others[0]:
            return f"Rank {rank} reported {amounts[rank]:g} where every other rank reported {others[0]:g}."
    return ""


def _not_ended_by_launcher(accounts: list[Account]) -> Account | None:
    """Of several silent ranks return the one that its launcher did not have to end."""
    return sole(a for a in accounts if not a.closing) if any(a.closing for a in accounts) else None


def different_place(case: Case) -> Conclusion | None:
    """Conclude that the one rank that complains from another line of the user's code went another way."""
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    voices: dict[int, Statement] = {}
    for account in complaining(case):
        statement = account.says("wait", "lost")[0]
        frame = user_frame(statement)
        if frame:
            places[(frame.path, frame.line)].append(account.rank)
            voices[account.rank] = statement
    if len(places) < 2 or len(voices) < 3 or silent(case):
        return None
    (common, many), *rest = sorted(places.items(), key=lambda item: -len(item[1]))
    odd = [ranks for _, ranks in rest]
    if len(odd) != 1 or len(odd[0]) != 1 or len(many) < 2:
        return None
    rank = odd[0][0]
    frame = user_frame(voices[rank])
    assert frame is not None
    reasons = [
        f"{listing(many).capitalize()} stood at line {common[1]}, rank {rank} at line {frame.line} "
        f"(«{frame.code[:60]}», {case.ref(voices[rank].place)}): it took another way through the code."
    ]
    cause = "collective/rank-conditional-collective"
    return Conclusion("different place", (rank,), cause, "likely", reasons, [voices[rank], voices[many[0]]])


def user_frame(statement: Statement) -> Frame | None:
    """Return the deepest frame of the user's own code in the exception that tells what happened, or in the others."""
    if statement.traceback is None:
        return None
    for raised in (statement.traceback.cause, *reversed(statement.traceback.chain)):
        own = [frame for frame in raised.frames if is_user_code(frame.path)]
        if own:
            return own[-1]
    return None


def odd_one_out(case: Case) -> Conclusion | None:
    """Conclude that a rank came late: it finds connections closed by those whose patience ended."""
    loud = complaining(case)
    lost = [a for a in loud if a.says("lost") and not a.says("wait")]
    waited = [a for a in loud if a.says("wait")]
    if len(lost) != 1 or len(waited) < 2 or silent(case):
        return None
    late = lost[0]
    voice = late.says("lost")[0]
    reasons = [
        _complaints(case, [], waited),
        f"Only rank {late.rank} did not wait: it came, late, when the others had gone ({case.ref(voice.place)}).",
    ]
    cause = "collective/straggler-timeout"
    return Conclusion("odd one out", (late.rank,), cause, "likely", reasons, [voice, waited[0].statements[0]])


def accusations(case: Case) -> dict[int, tuple[int, ...]]:
    """Return, per rank, the ranks that its words point at."""
    pointed: dict[int, tuple[int, ...]] = {}
    for account in case.accounts.values():
        named = [
            s.finding.captures.get("peer_rank") or s.finding.captures.get("culprit", "")
            for s in account.statements
            if s.finding
        ]
        numbers = {int(n) for text in named for n in (text or "").replace(",", " ").split() if n.isdigit()}
        pointed[account.rank] = tuple(sorted(numbers - {account.rank}))
    return pointed
