"""Rules for what ranks say of their own failure: uncaught exceptions, and logged ones that nothing followed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from firstfault.attribution.case import Account, Case, Conclusion, Statement, only_one, own_failures, owner
from firstfault.attribution.exits import WHICH_RANK
from firstfault.diagnosis import Confidence, MissingFact
from firstfault.wording import listing

UNKNOWN = "user/exception"
GPUS_PER_NODE = 8  # of nearly all machines for training


def first_hand(case: Case) -> Conclusion | None:
    """Conclude from ranks that failed by themselves and say so."""
    said = own_failures(case)
    known: dict[int, list[Statement]] = defaultdict(list)
    for statement in said:
        if statement.rank is not None:
            known[statement.rank].append(statement)
    nobody = [s for s in said if s.rank is None]
    if nobody:
        for rank in _whose(case, nobody, known):
            known[rank].extend(nobody)
    if known:
        return _of_ranks(case, {rank: owner(case, statements) for rank, statements in known.items()})
    return _of_nobody(case, nobody) if nobody else None


def _whose(case: Case, nobody: list[Statement], known: dict[int, list[Statement]]) -> list[int]:
    """Find the ranks that printed tracebacks without a rank: before init_process_group there is no prefix.

    As many equal tracebacks as a node has ranks are all of theirs; a single one is the one rank's that failed silently.
    """
    source, node = nobody[0].place.source, nobody[0].place.speaker.node
    lost = list(case.lost_workers())
    if len(lost) == 1:
        return lost
    gpus = {int(g) for s in nobody if s.finding and (g := s.finding.captures.get("gpu"))}
    if len(gpus) > 1 and gpus == set(case.accounts) and _one_node(case):
        return sorted(gpus)
    if len(gpus) == 1 and max(gpus) > 0:
        # a process that sees several GPUs uses the one of its local rank
        if max(gpus) < len(here := case.nodes.get(node or "", [])):
            return [here[max(gpus)]]
        if max(gpus) < len(case.accounts) and _one_node(case) and not _others_failed(case, gpus):
            return list(gpus)
    listed = [r.rank for r in case.evidence.rows if r.place.source == source and case.attempts == 1]
    local = case.nodes.get(node or "") or listed or case.ranks()
    raised = [s for s in nobody if s.traceback] or nobody
    if len(raised) >= len(local) > 0 and len(Counter(s.text for s in raised)) == 1:
        return local
    silent = [
        a.rank
        for a in case.accounts.values()
        if not a.statements and a.rank not in known and any(e.code == 1 for e in a.exits)
    ]
    return silent if len(silent) == 1 else []


def _others_failed(case: Case, ranks: set[int]) -> bool:
    """Tell whether other ranks ended with an error that is not in the text: it may be the same one."""
    others = [a for a in case.accounts.values() if a.rank not in ranks and not a.statements]
    return any(e.code == 1 for a in others for e in a.exits)


def _one_node(case: Case) -> bool:
    """Tell whether all ranks can be on one node, so that a local number is a rank."""
    notices, sightings = case.evidence.notices, case.evidence.sightings
    named = {n.place.speaker.node for n in notices} | {s.node for s in sightings}
    named |= {s.node for s in case.evidence.sources}
    several = case.several_nodes or len(case.nodes) > 1 or len(named - {None}) > 1
    return not several and len(case.accounts) <= GPUS_PER_NODE


def _of_ranks(case: Case, firsts: dict[int, Statement]) -> Conclusion:
    """Choose among ranks that failed by themselves."""
    causes = {rank: s.finding.signature if s.finding else UNKNOWN for rank, s in firsts.items()}
    causes = {rank: refined(case, rank, cause) for rank, cause in causes.items()}
    common = only_one(causes.values())
    if common is None:
        firsts = _earliest_specific(case, firsts)
        causes = {rank: causes[rank] for rank in firsts}
        common = only_one(causes.values()) or causes[min(firsts)]
    signature = case.catalogue.get(common)
    ranks = tuple(sorted(firsts))
    decisive = [firsts[r] for r in ranks]
    reasons = [_quote(case, decisive, ranks)]
    confidence: Confidence = "certain" if len(set(causes.values())) == 1 else "likely"
    if signature and signature.shared and not _in_own_data(decisive):
        return _shared(case, ranks, common, decisive, reasons)
    if signature and signature.scope == "job":
        return Conclusion("first-hand failure", (), common, confidence, [*reasons, "No rank is at fault."], decisive)
    if signature and signature.scope == "network" and len(ranks) > 1 and len(ranks) * 2 > len(case.accounts):
        reasons.append("It is not one rank that runs into it, so no rank is at fault.")
        return Conclusion("first-hand failure", (), common, confidence, reasons, decisive)
    reasons += _why_not_others(case, ranks)
    return Conclusion("first-hand failure", ranks, common, confidence, reasons, decisive)


def refined(case: Case, rank: int, cause: str) -> str:
    """Return the more special cause that a rank's other lines, mere clues by themselves, make of its failure."""
    for message in case.evidence.messages:
        signature = case.catalogue.get(message.finding.signature)
        near = message.place.speaker.rank in (rank, None) and message.finding.signal is None
        if signature and near and cause in signature.refines and _same_text(case, message.place.source, rank):
            return signature.id
    return cause


def _same_text(case: Case, source: int, rank: int) -> bool:
    known = {s.place.source for s in case.accounts[rank].statements} if rank in case.accounts else set()
    return source in known or not known


def _in_own_data(decisive: Sequence[Statement]) -> bool:
    """Tell whether a failure came up while a rank read its own share of the data, where ranks differ."""
    frames = [f for s in decisive if s.traceback for raised in s.traceback.chain for f in raised.frames]
    return any("/torch/utils/data/" in frame.path for frame in frames)


def _earliest_specific(case: Case, firsts: dict[int, Statement]) -> dict[int, Statement]:
    """Of several different failures keep those that a signature knows, then the earliest in each text."""
    specific = {r: s for r, s in firsts.items() if (g := case.signature(s)) and not g.generic}
    chosen = specific or firsts
    if len({s.place.source for s in chosen.values()}) == 1:
        rank = min(chosen, key=lambda r: chosen[r].order)
        return {rank: chosen[rank]}
    return chosen


def _shared(
    case: Case, ranks: tuple[int, ...], cause: str, decisive: list[Statement], reasons: list[str]
) -> Conclusion:
    """Judge a cause that every rank hits alike: all ranks, unless others got past it or only one could speak."""
    others = [a for a in case.accounts.values() if a.rank not in ranks]
    past = [a.rank for a in others if a.statements or any(went_on_after(a, s) for s in decisive)]
    if past and all(s.traceback is None for s in decisive):
        reasons.append("This failure usually strikes every rank alike, and only a library's line tells of it.")
        return Conclusion("first-hand failure", None, cause, "certain", reasons, decisive, [WHICH_RANK])
    if past:
        reasons.append(f"{listing(past).capitalize()} got past this point, so it is not the same on every rank.")
        return Conclusion("first-hand failure", ranks, cause, "certain", reasons, decisive)
    respoken = all(s.traceback and s.traceback.spawn_index is not None for s in decisive)
    if respoken and case.world != 1:
        missing = MissingFact(
            "whether the other ranks met the same error: the launcher re-raises one process's error only",
            "write each rank's stderr to a file of its own, e.g. sys.stderr = open(f'rank-{rank}.log', 'w')",
        )
        reasons.append("This failure usually strikes every rank alike, and only one of them was heard.")
        return Conclusion("first-hand failure", None, cause, "certain", reasons, decisive, [missing])
    if others and len(ranks) * 2 < len(case.accounts):
        reasons.append("This failure usually strikes every rank alike, but most of them were ended without a word.")
        return Conclusion("first-hand failure", None, cause, "certain", reasons, decisive, [WHICH_RANK])
    if others:
        reasons.append("It strikes every rank alike; the others were ended before they could print.")
    return Conclusion("first-hand failure", tuple(case.ranks()), cause, "certain", reasons, decisive)


def _why_not_others(case: Case, ranks: Sequence[int]) -> list[str]:
    lost = [a.rank for a in case.accounts.values() if a.rank not in ranks and a.says("lost", "wait", "absent")]
    if not lost:
        return []
    place = next(s.place for s in case.accounts[lost[0]].statements if s.about)
    verb = "speaks" if len(lost) == 1 else "speak"
    return [f"{listing(lost).capitalize()} only {verb} of a lost or awaited peer ({case.ref(place)}): a consequence."]


def _quote(case: Case, decisive: Sequence[Statement], ranks: Sequence[int]) -> str:
    first = decisive[0]
    verb = "failed by itself" if len(ranks) == 1 else "failed by themselves"
    line = first.text.strip().splitlines()[0] if first.text.strip() else ""
    return f"{case.ref(first.place)}: {listing(ranks)} {verb}: {line[:160]}"


def _of_nobody(case: Case, nobody: list[Statement]) -> Conclusion:
    """Conclude from a first-hand failure of a rank that the text does not number."""
    statement = owner(case, nobody)
    cause = statement.finding.signature if statement.finding else UNKNOWN
    signature = case.catalogue.get(cause)
    reasons = [f"{case.ref(statement.place)}: a process failed by itself: {statement.text[:160]}"]
    if signature and (signature.scope == "job" or (signature.scope == "network" and statement.traceback is None)):
        return Conclusion("first-hand failure", (), cause, "certain", reasons, [statement])
    several = len(nobody) > 1 or statement.traceback is None
    if signature and signature.shared and several and case.accounts:
        reasons.append("It strikes every rank alike.")
        return Conclusion("first-hand failure", tuple(case.ranks()), cause, "certain", reasons, [statement])
    reasons.append("Nothing in the text says which rank it was.")
    return Conclusion("first-hand failure", None, cause, "certain", reasons, [statement], [WHICH_RANK])


def logged_then_died(case: Case) -> Conclusion | None:
    """Conclude that ranks logged an exception, did not go on, and ended with an error."""
    found: dict[int, tuple[Statement, str]] = {}
    for statement in sorted(own_failures(case, uncaught=False), key=lambda s: s.order):
        account = case.accounts.get(statement.rank) if statement.rank is not None else None
        if account and not _went_on(case, account, statement) and (ended := _how_it_ended(case, account, statement)):
            found[account.rank] = (statement, ended)
    if not found:
        return _logged_by_nobody(case)
    last = found[max(found, key=lambda r: found[r][0].order)][0]
    cause = last.finding.signature if last.finding else UNKNOWN
    alike = {r: s for r, (s, _) in found.items() if (s.finding.signature if s.finding else UNKNOWN) == cause}
    ranks = tuple(sorted(alike))
    reasons = [
        f"{case.ref(alike[ranks[0]].place)}: {listing(ranks)} logged {alike[ranks[0]].text[:120]}",
        found[ranks[0]][1],
    ]
    return Conclusion("logged, then died", ranks, cause, "likely", reasons, list(alike.values()))


def _logged_by_nobody(case: Case) -> Conclusion | None:
    """Conclude from the exception of a worker without a number that is the last thing in its text."""
    logged = [s for s in own_failures(case, uncaught=False) if s.traceback and s.rank is None]
    ended = [s for s in logged if _ends_its_text(case, s)]
    if not ended or not case.unnumbered:
        return None
    statement = ended[-1]
    cause = statement.finding.signature if statement.finding else UNKNOWN
    reasons = [f"{case.ref(statement.place)}: a worker logged {statement.text[:120]}", "Its text ends there."]
    return Conclusion("logged, then died", None, cause, "likely", reasons, [statement], [WHICH_RANK])


def _went_on(case: Case, account: Account, statement: Statement) -> bool:
    """Tell whether a rank lived on; where another process reports a failed child, only training on counts as life."""
    if not _reported(case):
        return went_on_after(account, statement)
    lines = [n for s in account.sightings if s.source == statement.place.source for n in s.progress]
    return any(number > statement.place.end_line for number in lines)


def _how_it_ended(case: Case, account: Account, statement: Statement) -> str:
    """Say how a rank that logged an exception came to its end; nothing when it may have gone on."""
    end = account.end
    if end and end.code and not (account.closing and end.signal == "SIGTERM"):
        return f"It gave no sign of life after that and ended with an error ({case.ref(end.place)})."
    lost = [a for a in case.accounts.values() if a.rank != account.rank and a.says("lost")]
    if end is not None or account.closing or any(s.uncaught for s in account.statements):
        return ""
    if lost:
        return f"That is the last of it, and {listing(a.rank for a in lost)} lost a peer."
    if _reported(case):
        return "That is the last of it, and another process reports that one of its children failed."
    return "Its text ends there." if _ends_its_text(case, statement) else ""


def _reported(case: Case) -> bool:
    """Tell whether a parent or launcher says, in its own words, that a child failed."""
    wrapped = any(s.role == "context" and s.uncaught and s.traceback for s in case.statements())
    return wrapped or bool(case.launcher_says or case.of("failed", "worker-lost"))


def _ends_its_text(case: Case, statement: Statement) -> bool:
    """Tell whether a failure is the last thing in its text."""
    return statement.place.end_line >= case.evidence.last_lines[statement.place.source] - 1


def went_on_after(account: Account, statement: Statement) -> bool:
    """Tell whether a rank printed ordinary lines after a statement."""
    return any(s.source == statement.place.source and s.last_line > statement.place.end_line for s in account.sightings)
