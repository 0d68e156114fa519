"""Rules for what a rank did by itself: hardware and kernel lines, fatal signals, its own exceptions, its own exit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from firstfault.attribution import signals
from firstfault.attribution.case import Account, Case, Conclusion, Exit, Statement
from firstfault.diagnosis import Confidence, MissingFact
from firstfault.wording import listing

T = TypeVar("T")
FATAL = ("SIGKILL", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGHUP")
UNKNOWN = "user/exception"
EVIDENCE_OF_KILL = MissingFact(
    "whether the kernel's out-of-memory killer ended the process",
    "dmesg -T | grep -iE 'out of memory|oom-kill|killed process'   # on the rank's host; in a cgroup: memory.events",
)


def hardware_or_kernel(case: Case) -> Conclusion | None:
    """A kernel, driver or cgroup line about one of the run's processes."""
    lines = [s for s in case.statements() if s.traceback is None and s.role == "initiator" and _is_machine(case, s)]
    if not lines or not lines[0].finding:
        return None
    line = next((s for s in lines if s.rank is not None), lines[0])
    assert line.finding is not None
    rank = line.rank
    if rank is None:
        rank = _only_one(a.rank for a in case.accounts.values() if (end := _fatal(a)) and end.signal == "SIGKILL")
    reason = f"{case.ref(line.place)}: «{line.text[:140]}»"
    if rank is None:
        missing = [
            MissingFact("which rank ran on that device or as that process", "NCCL_DEBUG=INFO (Init COMPLETE lines)")
        ]
        return Conclusion("kernel or hardware", None, line.finding.signature, "certain", [reason], [line], missing)
    return Conclusion(
        "kernel or hardware", (rank,), line.finding.signature, "certain", [f"{reason} – this is rank {rank}."], [line]
    )


def _is_machine(case: Case, statement: Statement) -> bool:
    signature = case.signature(statement)
    return bool(signature and (signature.area == "hardware" or signature.id in MACHINE_CAUSES))


MACHINE_CAUSES = ("memory/host-oom-sigkill", "memory/cgroup-oom", "scheduler/slurm-oom-kill", "scheduler/k8s-oomkilled")


def died_of_signal(case: Case) -> Conclusion | None:
    """A rank died of a signal that its launcher did not send."""
    dead = {a.rank: end for a in case.accounts.values() if (end := _fatal(a)) and not _struck(case, end)}
    if not dead or any(s.finding for s in own_failures(case) if s.rank is not None and s.rank not in dead):
        return None
    hard = {r: e for r, e in dead.items() if e.signal != "SIGABRT"} or dead
    if len(hard) > 1 and len(hard) == len(case.accounts) and any(e.signal == "SIGKILL" for e in hard.values()):
        return None
    ranks = tuple(sorted(hard))
    end = hard[ranks[0]]
    cause, said = _cause_of_signal(case, ranks, end)
    reasons = [_quote_exit(case, ranks, end), *_launcher_did_not(case, ranks)]
    killed = end.signal == "SIGKILL"
    return Conclusion(
        "died of a signal", ranks, cause, "likely" if killed else "certain", reasons, said,
        [EVIDENCE_OF_KILL] if killed else [], {"signal": end.signal or ""}, [e.place for e in hard.values()],
    )  # fmt: skip


def _fatal(account: Account) -> Exit | None:
    """Return the exit by a fatal signal of the rank's own, or None: its launcher's doing does not count."""
    end = account.end
    if end is None or end.signal not in FATAL or account.escalated:
        return None
    if end.signal == "SIGABRT" and (account.says("wait", "lost", "absent") or _mismatch(account)):
        return None
    return None if end.signal == "SIGKILL" and account.closing else end


def _struck(case: Case, end: Exit) -> bool:
    """An abort beside a mismatch that nobody's prefix claims: it strikes whoever receives more, guilty or not."""
    return end.signal == "SIGABRT" and any(s.role == "either" and s.traceback is None for s in case.orphans)


def _mismatch(account: Account) -> bool:
    return any(s.role == "either" for s in account.statements)


def _cause_of_signal(case: Case, ranks: Sequence[int], end: Exit) -> tuple[str, list[Statement]]:
    """The rank's own words name the cause better than the signal; words of nobody known may be its."""
    own = [s for r in ranks for s in case.accounts[r].statements if s.role == "initiator" and s.finding]
    own = own or [s for s in case.orphans if s.finding and s.role == "initiator" and s.traceback is None]
    said = [s for s in own if _fits(s, end)]
    if said and said[0].finding:
        return said[0].finding.signature, said[:1]
    return signals.CAUSES.get(end.signal or "", "process/cpp-abort"), []


def _fits(statement: Statement, end: Exit) -> bool:
    """A text about native code explains an abort or a crash; nothing but a kernel line explains a kill."""
    return end.signal != "SIGKILL" and statement.traceback is None


def _quote_exit(case: Case, ranks: Sequence[int], end: Exit) -> str:
    return f"{case.ref(end.place)}: {listing(ranks)} ended by {end.signal} («{end.quote.strip()[:110]}»)."


def _launcher_did_not(case: Case, ranks: Sequence[int]) -> list[str]:
    if case.of("closing", "cleanup"):
        return [
            f"The launcher's lines show no signal sent to {listing(ranks)} before that; the others it ended itself."
        ]
    return []


def own_failures(case: Case, *, uncaught: bool = True) -> list[Statement]:
    """Return the statements of ranks, and of nobody known, that tell of their speaker's own failure."""
    return [s for s in case.statements() if s.role == "initiator" and s.uncaught == uncaught]


def first_hand(case: Case) -> Conclusion | None:
    """Ranks failed by themselves, and say so."""
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


def owner(case: Case, statements: Sequence[Statement]) -> Statement:
    """Return the statement that best names why one rank failed: specific before generic, then the earliest."""
    present = {s.finding.signature for s in statements if s.finding}
    refined = {r for i in present if i in case.catalogue for r in case.catalogue[i].refines}

    def weight(statement: Statement) -> tuple[int, tuple[int, int]]:
        signature = case.signature(statement)
        vague = 2 if signature is None else int(signature.generic or signature.id in refined)
        return vague, statement.order

    return min(statements, key=weight)


def _whose(case: Case, nobody: list[Statement], known: dict[int, list[Statement]]) -> list[int]:
    """Find the ranks that printed tracebacks without a rank: before init_process_group there is no prefix.

    As many equal tracebacks as a node has ranks are all of theirs; a single one is the one rank's that failed silently.
    """
    source = nobody[0].place.source
    local = [r.rank for r in case.evidence.rows if r.place.source == source] or case.ranks()
    texts = Counter(s.text for s in nobody)
    if len(nobody) >= len(local) > 0 and len(texts) == 1:
        return local
    silent = [
        a.rank
        for a in case.accounts.values()
        if not a.statements and a.rank not in known and any(e.code == 1 for e in a.exits)
    ]
    return silent if len(silent) == 1 else []


def _of_ranks(case: Case, firsts: dict[int, Statement]) -> Conclusion:
    """Choose among ranks that failed by themselves."""
    causes = {rank: s.finding.signature if s.finding else UNKNOWN for rank, s in firsts.items()}
    common = _only_one(causes.values())
    if common is None:
        firsts = _earliest_specific(case, firsts)
        causes = {rank: causes[rank] for rank in firsts}
        common = _only_one(causes.values()) or causes[min(firsts)]
    signature = case.catalogue.get(common)
    ranks = tuple(sorted(firsts))
    decisive = [firsts[r] for r in ranks]
    reasons = [_quote(case, decisive, ranks)]
    confidence: Confidence = "certain" if len(set(causes.values())) == 1 else "likely"
    if signature and signature.shared and not _in_own_data(decisive):
        return _shared(case, ranks, common, decisive, reasons)
    if signature and signature.scope == "job":
        return Conclusion("first-hand failure", (), common, confidence, [*reasons, "No rank is at fault."], decisive)
    if signature and signature.scope == "network" and set(ranks) == set(case.accounts) and len(ranks) > 1:
        reasons.append("Every rank runs into it, so no rank is at fault.")
        return Conclusion("first-hand failure", (), common, confidence, reasons, decisive)
    reasons += _why_not_others(case, ranks)
    return Conclusion("first-hand failure", ranks, common, confidence, reasons, decisive)


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
    """A cause that every rank hits alike: all ranks, unless others got past it or only one could speak."""
    others = [a for a in case.accounts.values() if a.rank not in ranks]
    past = [a.rank for a in others if a.statements]
    if past:
        reasons.append(f"{listing(past).capitalize()} got past this point and failed only afterwards.")
        return Conclusion("first-hand failure", ranks, cause, "certain", reasons, decisive)
    respoken = all(s.traceback and s.traceback.spawn_index is not None for s in decisive)
    if respoken and others:
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
    return [f"{listing(lost).capitalize()} only speak of a lost or awaited peer ({case.ref(place)}): a consequence."]


def _quote(case: Case, decisive: Sequence[Statement], ranks: Sequence[int]) -> str:
    first = decisive[0]
    verb = "failed by itself" if len(ranks) == 1 else "failed by themselves"
    line = first.text.strip().splitlines()[0] if first.text.strip() else ""
    return f"{case.ref(first.place)}: {listing(ranks)} {verb}: {line[:160]}"


def _of_nobody(case: Case, nobody: list[Statement]) -> Conclusion:
    """A first-hand failure of a rank that the text does not number."""
    statement = owner(case, nobody)
    cause = statement.finding.signature if statement.finding else UNKNOWN
    signature = case.catalogue.get(cause)
    reasons = [f"{case.ref(statement.place)}: a process failed by itself: {statement.text[:160]}"]
    if signature and signature.scope == "job":
        return Conclusion("first-hand failure", (), cause, "certain", reasons, [statement])
    reasons.append("Nothing in the text says which rank it was.")
    return Conclusion("first-hand failure", None, cause, "certain", reasons, [statement], [WHICH_RANK])


WHICH_RANK = MissingFact(
    "which rank printed that error: the text does not number the processes",
    "torchrun --log-dir logs --redirects 3 --tee 3 ...   # one file per rank, each line tagged",
)


def logged_then_died(case: Case) -> Conclusion | None:
    """A rank logged an exception, did not go on, and ended with an error."""
    for statement in sorted(own_failures(case, uncaught=False), key=lambda s: s.order, reverse=True):
        rank = statement.rank
        account = case.accounts.get(rank) if rank is not None else None
        if rank is None or account is None or went_on_after(account, statement):
            continue
        ended = _how_it_ended(case, account)
        if ended:
            cause = statement.finding.signature if statement.finding else UNKNOWN
            reasons = [f"{case.ref(statement.place)}: rank {rank} logged {statement.text[:120]}", ended]
            return Conclusion("logged, then died", (rank,), cause, "likely", reasons, [statement])
    return None


def _how_it_ended(case: Case, account: Account) -> str:
    """Say how a rank that logged an exception came to its end; nothing when it may have gone on."""
    end = account.end
    if end and end.code and not (account.closing and end.signal == "SIGTERM"):
        return f"It gave no sign of life after that and ended with an error ({case.ref(end.place)})."
    lost = [a for a in case.accounts.values() if a.rank != account.rank and a.says("lost")]
    mute = not any(s.uncaught for s in account.statements)
    if end is None and not account.closing and lost and mute:
        return f"That is the last of it, and {listing(a.rank for a in lost)} lost a peer."
    return ""


def went_on_after(account: Account, statement: Statement) -> bool:
    """Tell whether a rank printed ordinary lines after a statement."""
    return any(s.source == statement.place.source and s.last_line > statement.place.end_line for s in account.sightings)


def told_by_code(case: Case) -> Conclusion | None:
    """DeepSpeed's launcher tells the code of some process; a single silent rank must be it."""
    notice = next((n for n in case.of("return-code") if signals.of_code(int(n.fields["code"]))), None)
    if notice is None:
        return None
    name = signals.of_code(int(notice.fields["code"])) or ""
    cause = signals.CAUSES.get(name, "process/silent-exit")
    quiet = [a.rank for a in case.accounts.values() if not a.statements]
    said = [s for a in case.accounts.values() for s in a.statements][:1]
    reasons = [f"{case.ref(notice.place)}: some rank ended by {name}; the launcher does not say which."]
    missing = [EVIDENCE_OF_KILL] if name == "SIGKILL" else []
    if len(quiet) == 1:
        reasons.append(f"Only rank {quiet[0]} said nothing, and the others lost a peer, so it is that one.")
        ranks: tuple[int, ...] | None = (quiet[0],)
    else:
        reasons.append(f"{listing(quiet).capitalize()} all said nothing." if quiet else "Every rank said something.")
        ranks, missing = None, [*missing, WHICH_RANK]
    return Conclusion("told by code", ranks, cause, "likely", reasons, said, missing, places=[notice.place])


def lost_worker(case: Case) -> Conclusion | None:
    """The launcher lost a worker that had nothing to say."""
    lost = {int(n.fields["rank"]): n for n in case.of("worker-lost") if "rank" in n.fields}
    quiet = [rank for rank in lost if not case.accounts[rank].statements]
    if len(quiet) != 1:
        return None
    place = lost[quiet[0]].place
    reasons = [
        f"{case.ref(place)}: the launcher lost rank {quiet[0]}'s process, which printed no error: it was killed.",
        "The other ranks only speak of the lost peer.",
    ]
    return Conclusion(
        "lost worker",
        tuple(quiet),
        "process/killed-sigkill",
        "likely",
        reasons,
        missing=[EVIDENCE_OF_KILL],
        places=[place],
    )


def left_without_a_word(case: Case) -> Conclusion | None:
    """A rank ended with an error code, by itself, and printed nothing about it although its output is there."""
    quiet = [a for a in case.accounts.values() if _left(a)]
    if len(quiet) != 1:
        return None
    account = quiet[0]
    end = account.end
    assert end is not None
    if end.signal == "SIGTERM":
        reason = f"{case.ref(end.place)}: rank {account.rank} ended by SIGTERM, which its launcher did not send to it."
        return Conclusion(
            "left without a word", (account.rank,), "process/sigterm-from-outside", "likely", [reason],
            missing=[MissingFact("who sent SIGTERM", "journalctl --since ... ; ausearch -k kill ; the scheduler's log")],
        )  # fmt: skip
    heard = any(s.statements for s in case.accounts.values())
    reason = f"{case.ref(end.place)}: rank {account.rank} ended with code {end.code} and printed no error of its own."
    if not account.sightings or not heard:
        return Conclusion("left without a word", (account.rank,), "framework/unknown-exit-1", "possible",
                          [reason, "Its output is not in this text."], missing=[HIDDEN_OUTPUT])  # fmt: skip
    last = account.last
    told = f"Its last words, «{last.last_text[:80]}», are no error." if last else ""
    return Conclusion("left without a word", (account.rank,), "process/silent-exit", "likely", [reason, told])


HIDDEN_OUTPUT = MissingFact(
    "what that rank printed: its own output is not in this text",
    "torchrun --log-dir logs --redirects 3 ...   # then read logs/*/attempt_0/<local rank>/stderr.log",
)


def _left(account: Account) -> bool:
    end = account.end
    if end is None or account.statements or not (end.code or end.signal):
        return False
    if end.signal == "SIGTERM":
        return not account.closing and not any("Terminated" in e.quote for e in account.exits)
    return end.signal is None and not account.closing


def _only_one(items: Iterable[T]) -> T | None:
    values = set(items)
    return next(iter(values)) if len(values) == 1 else None
