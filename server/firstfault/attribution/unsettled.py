"""Rules for what the text does not settle: something failed, and here is the fact that would tell."""

from __future__ import annotations

from firstfault.attribution import signals
from firstfault.attribution.case import Case, Conclusion, Statement
from firstfault.attribution.exits import EVIDENCE_OF_KILL, HIDDEN_OUTPUT
from firstfault.attribution.peers import WHERE_IT_HANGS
from firstfault.diagnosis import MissingFact
from firstfault.wording import listing

OTHER_LOGS = MissingFact(
    "the other ranks' own output: every error here speaks of a peer",
    "torchrun --log-dir logs --redirects 3 --tee 3 ...   # on every node; then diagnose the whole folder",
)


def only_consequences(case: Case) -> Conclusion | None:
    """Conclude that every voice is a consequence, or a mismatch that strikes the innocent as well."""
    said = [s for s in case.statements() if s.role in ("collateral", "either")]
    if not said:
        return None
    either = next((s for s in said if s.role == "either" and s.about is None), None)
    waits = [s for s in said if s.about == "wait"]
    outer = next((s for s in said if (g := case.signature(s)) and g.scope != "rank" and not g.generic), None)
    if outer and outer.finding:
        reasons = [
            f"{case.ref(outer.place)}: {_one_line(outer)}",
            "All other errors follow from it; no rank started it.",
        ]
        return Conclusion("only consequences", (), outer.finding.signature, "likely", reasons, [outer])
    if either and either.finding:
        cause, words = either.finding.signature, "and this text does not tell which rank is at fault"
    elif _unlisted(case):
        cause, words = "data/uneven-inputs", "and every rank that the launcher lists lost one that it does not list"
    elif waits:
        cause, words = "collective/timeout-unknown", "and nothing tells whom the ranks waited for"
    else:
        cause, words = "process/peer-died-unknown", "and nothing tells which peer was lost, or why"
    first = either or (waits or said)[0]
    reasons = [f"{case.ref(first.place)}: {_one_line(first)}", f"Every error here is a consequence, {words}."]
    missing = [OTHER_LOGS, *([WHERE_IT_HANGS] if waits else [])]
    ranks = (0,) if case.world == 1 else None
    return Conclusion("only consequences", ranks, cause, "certain" if either else "possible", reasons, [first], missing)


def _unlisted(case: Case) -> bool:
    """Tell whether all listed ranks lost a peer that the table leaves out, for it had exited 0."""
    listed = [case.accounts[row.rank] for row in case.evidence.rows]
    if not listed or case.attempts != 1 or _lost_elsewhere(case):
        return False
    return all(a.says("lost") and not a.says("wait") for a in listed)


def _lost_elsewhere(case: Case) -> bool:
    """Tell whether a lost peer was on a host that the table is not of; NCCL names it, e.g. `node1<39410>`."""
    hosts = {row.host for row in case.evidence.rows}
    peers = [s.finding.captures.get("peer", "") for s in case.statements() if s.finding and s.about == "lost"]
    return any("<" in peer and peer.partition("<")[0] not in hosts for peer in peers)


def _one_line(statement: Statement) -> str:
    lines = statement.text.strip().splitlines()
    return lines[0][:160] if lines else ""


def only_the_launchers_word(case: Case) -> Conclusion | None:
    """Conclude that there are exit codes without any rank's own words: a messenger, not the message."""
    failed = [a for a in case.accounts.values() if any(e.code or e.signal for e in a.exits)]
    notices = case.of("failed", "cleanup", "return-code", "worker-lost", "shell-exit")
    wrappers = [s for s in case.statements() if s.uncaught and s.traceback]
    if not failed and not notices and not case.launcher_says and not wrappers:
        return None
    by_itself = [a for a in failed if not a.closing and (a.end and a.end.signal != "SIGTERM")]
    end = (by_itself or failed)[0].end if failed else None
    reasons = [
        f"{case.ref(end.place)}: {listing(a.rank for a in by_itself or failed)} ended with an error; no more is here."
        if end
        else "The launcher says that the job failed; no rank's own words are here."
    ]
    reasons.append("This is the messenger: the error itself stands in the rank's own output.")
    return Conclusion("only the launcher's word", None, "framework/unknown-exit-1", "possible", reasons,
                      case.launcher_says[:1], [HIDDEN_OUTPUT])  # fmt: skip


def hangs(case: Case) -> Conclusion | None:
    """Conclude that somebody dumped the stacks of a run that hangs."""
    dumps = case.of("stack-dump")
    if not dumps:
        return None
    reasons = [
        f"{case.ref(dumps[0].place)}: stacks of {len(dumps)} processes were dumped: the run hung, no rank failed.",
        "The dump alone does not tell a frozen rank from those that wait for it.",
    ]
    missing = MissingFact(
        "which rank makes no progress: take two dumps a minute apart, and the flight recorder's",
        "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1 torchrun ...   # in a re-run",
    )
    return Conclusion("hangs", None, None, "possible", reasons, missing=[missing], places=[n.place for n in dumps])


def exit_code_says_so(case: Case) -> Conclusion | None:
    """Conclude from the exit code that the user knows, where the text just ends."""
    code = case.run.exit_code
    if not code or (case.evidence.empty and not case.run.command):
        return None
    name = signals.of_code(code)
    ranks = (0,) if case.world == 1 else None
    if name == "SIGINT":
        return Conclusion("exit code", (), "user/interrupted", "certain", [f"The command ended by {name} (Ctrl-C)."])
    if name:
        cause = signals.CAUSES.get(name)
        missing = [EVIDENCE_OF_KILL] if name == "SIGKILL" else [OTHER_LOGS]
        reason = f"The command ended by {name}; its text shows no error."
        return Conclusion("exit code", ranks, cause, "likely", [reason], missing=missing)
    reason = f"The command ended with code {code}, and its text shows no error: it just ends."
    return Conclusion("exit code", ranks, "process/died-silently", "possible", [reason], missing=[HIDDEN_OUTPUT])
