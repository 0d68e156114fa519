"""Evidence -> one Case: every statement, exit and sign of life in the account of its rank."""

from __future__ import annotations

import re
from dataclasses import replace

from firstfault.attribution import signals
from firstfault.attribution.attempts import Attempts
from firstfault.attribution.case import Account, Case, Exit, RunFacts, Statement
from firstfault.attribution.identity import IN_DEFAULT_GROUP, Identities
from firstfault.catalogue import Catalogue
from firstfault.model import Evidence, Message, Notice, Place, Traceback

HANDLED_AFTER = 3  # progress lines after a message that show that its speaker went on
MEMBERS = re.compile(r"(\d+)(?:-(\d+))?")
WARNING = re.compile(
    r"^\[?W\d{4} |^\[W[ \d]"
)  # glog's letter, e.g. [W1123 10:00:00.123 TCPStore.cpp:125] recvValue failed
NCCL_LINE = re.compile(r"^[\w.-]+:(?P<pid>\d+):\d+ \[\d+\] ")  # e.g. node7:412:519 [6] init.cc:799 NCCL WARN ...
THREAD = "Exception in thread "


def build(evidence: Evidence, catalogue: Catalogue, run: RunFacts) -> Case:
    """Return the case of the attempt that failed first."""
    attempts, identities = Attempts(evidence), Identities(evidence)
    case = Case(evidence, catalogue, run, attempts=attempts.count, attempt=0 if attempts.count > 1 else None)
    case.notices = [n for n in evidence.notices if attempts.of(n.place) == 0]
    case.nodes, case.several_nodes = identities.nodes, identities.several_nodes
    _world(case)
    _sightings(case, identities)
    _exits(case, identities, attempts)
    _statements(case, identities, attempts)
    _alone(case)
    _launcher(case)
    case.accounts = dict(sorted(case.accounts.items()))
    return case


def account(case: Case, rank: int) -> Account:
    """Return the account of a rank, opened when it is not there yet."""
    return case.accounts.setdefault(rank, Account(rank))


def _world(case: Case) -> None:
    sizes = [int(n.fields["world_size"]) for n in case.evidence.notices if "world_size" in n.fields]
    if sizes and max(sizes) > 1:
        case.world = max(sizes)
        for rank in range(case.world):
            account(case, rank)


def _sightings(case: Case, identities: Identities) -> None:
    for sighting in case.evidence.sightings:
        speaker = case.evidence.sources[sighting.source]
        known = account(case, sighting.rank)
        known.sightings.append(sighting)
        known.node = known.node or sighting.node or speaker.node
        known.local_rank = known.local_rank if known.local_rank is not None else sighting.local_rank
    for source in case.evidence.sources:
        for rank in identities.of_pod(source.index) if source.rank is None else {source.rank}:
            account(case, rank)


def _exits(case: Case, identities: Identities, attempts: Attempts) -> None:
    last = case.attempts - 1
    for row in case.evidence.rows:
        known = account(case, row.rank)
        known.local_rank, known.node = row.local_rank, row.host or known.node
        known.pids.add(row.pid)
        if last == 0:
            known.listed = True
            code = signals.of_code(row.exit_code)
            known.exits.append(Exit(row.place, row.exit_code, code, row.pid, quote=f"exitcode {row.exit_code}"))
    pending: dict[int, int] = {}
    for notice in case.notices:
        if notice.kind == "exit-rank":
            pending[notice.place.source] = int(notice.fields["rank"])
        elif notice.kind == "exit-code" and notice.place.source in pending:
            rank = pending.pop(notice.place.source)
            account(case, rank).exits.append(_exit(notice))
        elif notice.kind in ("exit", "wordless-exit", "closing", "escalated") and not _side_step(case, notice):
            _process_notice(case, identities, notice)


def _side_step(case: Case, notice: Notice) -> bool:
    """Tell whether training went on after a process ended: then it was none of the run's ranks."""
    return case.attempts == 1 and went_on(case, notice.place, None)


def _process_notice(case: Case, identities: Identities, notice: Notice) -> None:
    for rank in _ranks_of(notice, identities):
        known = account(case, rank)
        if notice.kind in ("exit", "wordless-exit"):
            known.exits.append(_exit(notice))
        elif notice.kind == "closing":
            known.closing = True
        else:
            known.escalated = True


def _ranks_of(notice: Notice, identities: Identities) -> list[int]:
    fields = notice.fields
    if "rank" in fields:
        return [int(fields["rank"])]
    if "tasks" in fields:
        return [n for a, b in MEMBERS.findall(fields["tasks"]) for n in range(int(a), int(b or a) + 1)]
    local = int(fields["local_rank"]) if "local_rank" in fields else None
    rank = identities.process(int(fields["pid"]), local, notice.place.source) if "pid" in fields else None
    return [] if rank is None else [rank]


def _exit(notice: Notice) -> Exit:
    code = int(notice.fields["code"]) if "code" in notice.fields else None
    word = notice.fields.get("signal")
    name = signals.of_word(word) if word else signals.of_code(code or 0)
    if notice.format == "mpirun" and notice.kind == "exit" and code:  # "exited on signal 9"
        name = signals.of_code(-code)
    pid = notice.fields.get("pid")
    wordless = notice.kind == "wordless-exit"
    return Exit(notice.place, code, name, int(pid) if pid else None, quote=notice.text[:160], wordless=wordless)


def _statements(case: Case, identities: Identities, attempts: Attempts) -> None:
    for traceback in case.evidence.tracebacks:
        attempt = attempts.of(traceback.place)
        if attempt == 0 and not traceback.ignored:
            _place_statement(case, _of_traceback(traceback, identities))
    for message in case.evidence.messages:
        finding = message.finding
        if finding.role == "context" or finding.signal is not None or attempts.of(message.place) != 0:
            continue
        if WARNING.match(message.text):  # the library itself calls it a warning
            continue
        rank = _subject(message, identities)
        if _announces(case, message):
            continue
        if not went_on(case, message.place, rank):
            _place_statement(case, Statement(message.place, message.text, finding, rank))


def _announces(case: Case, message: Message) -> bool:
    """Tell a general line whose next one says that it is a consequence: `terminate called ...` before `what(): ...`."""
    signature = case.catalogue.get(message.finding.signature)
    if signature is None or not signature.generic or message.finding.role != "initiator":
        return False
    source, following = message.place.source, message.place.line + 1
    return any(
        m.place.source == source and m.place.line <= following <= m.place.end_line and m.finding.role == "collateral"
        for m in case.evidence.messages
    )


def _subject(message: Message, identities: Identities) -> int | None:
    """Return whom a message speaks about: the rank or process it names, else whoever printed it."""
    captures = message.finding.captures
    if "rank" in captures:
        return int(captures["rank"])
    if message.place.speaker.rank is None and (rank := identities.of_machine_line(captures)) is not None:
        return rank
    rank = identities.rank_of(message.place)
    if rank is None and (process := NCCL_LINE.match(message.text)):
        rank = identities.process(int(process["pid"]), None, message.place.source)
    group = IN_DEFAULT_GROUP.match(message.text) if rank is None else None
    return int(group["rank"]) if group else rank


def _of_traceback(traceback: Traceback, identities: Identities) -> Statement:
    rank = traceback.spawn_index
    if rank is None and not traceback.launcher:
        rank = identities.rank_of(traceback.place, traceback.header)
    named = traceback.finding.captures.get("pid") if traceback.finding else None
    process = traceback.process or (int(named) if named else None)
    if rank is None and process is not None:
        rank = identities.anywhere(process)
    uncaught = (traceback.uncaught or process is not None) and not traceback.header.startswith(THREAD)
    return Statement(traceback.place, traceback.cause.text, traceback.finding, rank, uncaught, traceback)


def went_on(case: Case, place: Place, rank: int | None) -> bool:
    """Tell whether training progressed after a place, so that whatever stands there was handled."""
    numbers = case.evidence.progress.get(place.source, [])
    if rank is not None:
        own = [s.progress for s in case.accounts.get(rank, Account(rank)).sightings if s.source == place.source]
        numbers = own[0] if own and own[0] else numbers
    return sum(number > place.end_line for number in numbers) >= HANDLED_AFTER


def _place_statement(case: Case, statement: Statement) -> None:
    traceback = statement.traceback
    if traceback and traceback.launcher and traceback.process is None and statement.rank is None:
        case.launcher_says.append(statement)
    elif statement.rank is None:
        case.orphans.append(statement)
    else:
        account(case, statement.rank).statements.append(statement)


def _alone(case: Case) -> None:
    """Make one process without ranks rank 0 of 1; several processes without numbers stay without."""
    if case.accounts:
        return
    ends = case.of("shell-exit")
    speakers = [s.place.speaker for s in case.orphans]
    tagged = any(s.pid is not None or s.local_rank is not None for s in speakers)  # one worker of a launcher's many
    told = any(s.traceback and (s.traceback.launcher or s.traceback.process) for s in case.orphans)
    several = tagged or told or len(case.evidence.sources) > 1 or bool(case.of("failed", "cleanup", "joined"))
    if several or not (case.orphans or case.evidence.progress or ends):
        case.unnumbered = several
        return
    only = account(case, 0)
    only.statements = [replace(s, rank=0) for s in case.orphans]
    only.exits = [_exit(notice) for notice in ends]
    case.orphans, case.world = [], 1


def _launcher(case: Case) -> None:
    by_name = {n.format for n in case.evidence.notices} | set(case.evidence.launchers)
    by_name |= {s.traceback.launcher for s in case.launcher_says if s.traceback and s.traceback.launcher}
    order = ("ray", "deepspeed", "torchrun", "spawn", "srun", "slurm", "mpirun")
    found = next((name for name in order if name in by_name), None)
    case.launcher = "srun" if found == "slurm" else found
    case.framework = next(iter(case.evidence.frameworks), "pytorch" if case.accounts else None)
