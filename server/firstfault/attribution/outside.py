"""Rules for what came from outside the ranks: Ctrl-C, a scheduler, a supervisor, the launcher itself."""

from __future__ import annotations

from collections.abc import Iterable

from firstfault.attribution import signals
from firstfault.attribution.case import Case, Conclusion, Statement
from firstfault.diagnosis import MissingFact
from firstfault.model import Notice, Place

INTERRUPTED = "user/interrupted"
WHO_ENDED_IT = MissingFact(
    "who ended the job: the scheduler, a quota, a spot notice or a person",
    "sacct -j JOBID --format=JobID,State,ExitCode,End,Reason   # or: kubectl describe pod POD; journalctl -k",
)


def interrupted(case: Case) -> Conclusion | None:
    """Conclude on Ctrl-C: the launcher got SIGINT, or a KeyboardInterrupt came before any rank's own failure."""
    notices = [n for n in case.of("death-signal") if signals.of_word(n.fields["signal"]) == "SIGINT"]
    spoken = [s for s in _everybody(case) if _is_interrupt(s)]
    first = _first([n.place for n in notices] + [s.place for s in spoken])
    if first is None or _own_failures(case, before=first):
        return None
    where = case.ref(first)
    return Conclusion(
        "interrupted",
        (),
        INTERRUPTED,
        "certain",
        [f"{where} shows SIGINT (Ctrl-C) before any rank failed by itself; every later error is its consequence."],
        spoken,
        places=[n.place for n in notices],
    )


def _is_interrupt(statement: Statement) -> bool:
    traceback = statement.traceback
    return bool(traceback and statement.uncaught and traceback.chain[-1].type == "KeyboardInterrupt")


def ended_from_outside(case: Case) -> Conclusion | None:
    """Conclude on a scheduler's or supervisor's end that precedes every rank's own failure: no rank is guilty."""
    said = [s for s in _everybody(case) if _is_job_end(case, s)]
    notices = [n for n in case.notices if _is_outside(case, n)]
    first = _first([s.place for s in said] + [n.place for n in notices])
    if first is None or _own_failures(case, before=first):
        return None
    specific = [s for s in said if s.role == "initiator"]
    cause = specific[0].finding.signature if specific and specific[0].finding else "scheduler/preempted"
    quote = next((n.text for n in notices if n.place == first), None) or (said[0].text if said else "")
    return Conclusion(
        "ended from outside",
        (),
        cause,
        "certain" if specific else "likely",
        [f"{case.ref(first)}: «{quote[:120]}» – the job was ended from outside, before any rank failed by itself."],
        specific or said,
        [] if specific else [WHO_ENDED_IT],
        places=[n.place for n in notices],
    )


def _is_job_end(case: Case, statement: Statement) -> bool:
    signature = case.signature(statement)
    return bool(
        signature and signature.area == "scheduler" and signature.scope == "job" and statement.role == "initiator"
    )


def _is_outside(case: Case, notice: Notice) -> bool:
    if notice.kind == "outside":
        return True
    if notice.kind == "death-signal":
        return signals.of_word(notice.fields["signal"]) in ("SIGTERM", "SIGHUP")
    if notice.kind == "cancelled":
        cleanup = case.of("cleanup") or any(n.kind == "exit" and n.place.line < notice.place.line for n in case.notices)
        return bool(notice.fields.get("reason")) or not cleanup
    return False


def launcher_failed(case: Case) -> Conclusion | None:
    """Conclude that the launcher itself failed for a cause that a signature knows: no rank started it."""
    known = [s for s in case.launcher_says if s.finding and s.role in ("initiator", "either")]
    if not known or not known[0].finding or any(a.statements for a in case.accounts.values()):
        return None  # where ranks speak of lost peers, the launcher's failure is one more consequence
    return Conclusion(
        "launcher failed",
        (),
        known[0].finding.signature,
        "certain",
        [f"The launcher itself failed at {case.ref(known[0].place)}: {known[0].text[:160]}"],
        known[:1],
    )


def _everybody(case: Case) -> list[Statement]:
    return [*case.statements(), *case.launcher_says]


def _own_failures(case: Case, before: Place) -> list[Statement]:
    """Return failures of ranks' own that precede a place, as far as one text tells the order.

    In another text an own failure counts whenever it stands there: better undecided than a scheduler blamed wrongly.
    """
    return [
        s
        for s in case.statements()
        if s.role == "initiator" and s.uncaught and not _is_interrupt(s) and not _is_job_end(case, s)
        if s.place.source != before.source or s.place.line < before.line
    ]


def _first(places: Iterable[Place]) -> Place | None:
    return min(places, key=lambda p: (p.source, p.line), default=None)
