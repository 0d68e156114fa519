"""Rules for how processes ended: kernel and hardware lines, fatal signals, codes, and silence with an error code."""

from __future__ import annotations

from collections.abc import Sequence

from firstfault.attribution import signals
from firstfault.attribution.case import Account, Case, Conclusion, Exit, Statement, only_one, own_failures, owner
from firstfault.diagnosis import MissingFact
from firstfault.wording import listing

FATAL = ("SIGKILL", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGHUP")
UNKNOWN_EXIT = "framework/unknown-exit-1"
MACHINE_CAUSES = ("memory/host-oom-sigkill", "memory/cgroup-oom", "scheduler/slurm-oom-kill", "scheduler/k8s-oomkilled")
EVIDENCE_OF_KILL = MissingFact(
    "whether the kernel's out-of-memory killer ended the process",
    "dmesg -T | grep -iE 'out of memory|oom-kill|killed process'   # on the rank's host; in a cgroup: memory.events",
)
WHICH_RANK = MissingFact(
    "which rank printed that error: the text does not number the processes",
    "torchrun --log-dir logs --redirects 3 --tee 3 ...   # one file per rank, each line tagged",
)
HIDDEN_OUTPUT = MissingFact(
    "what that rank printed: its own output is not in this text",
    "torchrun --log-dir logs --redirects 3 ...   # then read logs/*/attempt_0/<local rank>/stderr.log",
)


def hardware_or_kernel(case: Case) -> Conclusion | None:
    """Conclude from a kernel's, driver's or cgroup's line about one of the run's processes."""
    lines = [s for s in case.statements() if s.traceback is None and s.role == "initiator" and _is_machine(case, s)]
    if not lines or not lines[0].finding:
        return None
    line = next((s for s in lines if s.rank is not None), lines[0])
    assert line.finding is not None
    rank = line.rank
    if rank is None:
        rank = only_one(a.rank for a in case.accounts.values() if (end := _fatal(a)) and end.signal == "SIGKILL")
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


def died_of_signal(case: Case) -> Conclusion | None:
    """Conclude that a rank died of a signal that its launcher did not send."""
    dead = {a.rank: end for a in case.accounts.values() if (end := _fatal(a)) and not _struck(case, a, end)}
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


def _struck(case: Case, account: Account, end: Exit) -> bool:
    """Tell an abort that nothing explains: watchdogs and mismatches abort the innocent too."""
    words = [s for s in (*account.statements, *case.orphans) if s.traceback is None]
    own = [s for s in words if s.role == "initiator"]
    return end.signal == "SIGABRT" and (not own or any(s.role == "either" for s in words))


def _mismatch(account: Account) -> bool:
    return any(s.role == "either" for s in account.statements)


def _cause_of_signal(case: Case, ranks: Sequence[int], end: Exit) -> tuple[str, list[Statement]]:
    """Name the cause by the rank's own words rather than the signal; words of nobody known may be its."""
    own = [s for r in ranks for s in case.accounts[r].statements if s.role == "initiator" and s.finding]
    own = own or [s for s in case.orphans if s.finding and s.role == "initiator" and s.traceback is None]
    if own and end.signal != "SIGKILL":  # nothing but a kernel's line explains a kill
        said = owner(case, own)
        assert said.finding is not None
        return said.finding.signature, [said]
    return signals.CAUSES.get(end.signal or "", "process/cpp-abort"), []


def _quote_exit(case: Case, ranks: Sequence[int], end: Exit) -> str:
    return f"{case.ref(end.place)}: {listing(ranks)} ended by {end.signal} («{end.quote.strip()[:110]}»)."


def _launcher_did_not(case: Case, ranks: Sequence[int]) -> list[str]:
    if case.of("closing", "cleanup"):
        return [
            f"The launcher's lines show no signal sent to {listing(ranks)} before that; the others it ended itself."
        ]
    return []


def told_by_code(case: Case) -> Conclusion | None:
    """Conclude from the code of some process (DeepSpeed's launcher): a single silent rank must be it."""
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
    """Conclude that the launcher lost a worker that had nothing to say."""
    lost = case.lost_workers()
    known = [case.accounts[rank] for rank in lost if rank in case.accounts]
    quiet = [a.rank for a in known if all(s.role == "either" for s in a.statements)]
    if len(quiet) != 1:
        return None
    notice = lost[quiet[0]]
    code = int(notice.fields["code"]) if "code" in notice.fields else None
    name = signals.of_code(code) if code is not None else "SIGKILL"  # most of what ends a process without a word
    ended = "" if code is None else f" with code {code}" + (f" ({name})" if name else "")
    reasons = [f"{case.ref(notice.place)}: the launcher lost rank {quiet[0]}'s process{ended}, which printed no error."]
    if any(a.says("lost") for a in case.accounts.values()):
        reasons.append("The other ranks only speak of the lost peer.")
    cause = signals.CAUSES.get(name or "", UNKNOWN_EXIT)
    missing = EVIDENCE_OF_KILL if name == "SIGKILL" else HIDDEN_OUTPUT
    return Conclusion(
        "lost worker", () if name == "SIGINT" else tuple(quiet), cause, "possible", reasons,
        missing=[missing], captures={"signal": name} if name else {}, places=[notice.place],
    )  # fmt: skip


def left_without_a_word(case: Case) -> Conclusion | None:
    """Conclude that a rank ended with an error, by itself, and said nothing although its output is there."""
    quiet = [a for a in case.accounts.values() if _left(case, a)]
    if len(quiet) != 1:
        return None
    account = quiet[0]
    end = account.end
    assert end is not None
    if end.signal == "SIGTERM":
        reason = f"{case.ref(end.place)}: rank {account.rank} ended by SIGTERM, which its launcher did not send to it."
        return Conclusion(
            "left without a word", (account.rank,), "process/sigterm-from-outside", "likely", [reason],
            missing=[MissingFact("who sent SIGTERM", "journalctl --since -1h; the scheduler's or supervisor's log")],
        )  # fmt: skip
    heard = any(s.statements for s in case.accounts.values())
    reason = f"{case.ref(end.place)}: rank {account.rank} ended with code {end.code} and printed no error of its own."
    if not end.wordless and (not account.sightings or not heard):
        reasons = [reason, "Its output is not in this text, so it may itself have lost a peer first."]
        return Conclusion("left without a word", None, UNKNOWN_EXIT, "possible", reasons, missing=[HIDDEN_OUTPUT])
    last = account.last
    told = f"Its last words, «{last.last_text[:80]}», are no error." if last else ""
    return Conclusion("left without a word", (account.rank,), "process/silent-exit", "likely", [reason, told])


def _left(case: Case, account: Account) -> bool:
    """Tell whether a rank without a word ended with an error that its launcher did not bring about."""
    end = account.end
    if end is None or account.statements or not (end.code or end.signal):
        return False
    if end.signal == "SIGTERM":
        cleanups = case.of("cleanup", "outside", "cancelled")
        earlier = any(n.place.source == end.place.source and n.place.line < end.place.line for n in cleanups)
        return not account.closing and not earlier
    return end.signal is None and not account.closing
