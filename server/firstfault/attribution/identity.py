"""Whose words are these? Prefixes, files, process ids and failure tables give a rank to what has none."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from firstfault.model import Evidence, Place, Speaker
from firstfault.parsing.census import CLUE

# e.g. [E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught ...: the rank inside the group, which is the global one in
# the default group (torch up to 2.2 has no other prefix)
IN_DEFAULT_GROUP = re.compile(r"^(?:\[[EWIF][^\]]*\]\s*)?\[(?:PG (?:ID )?0\b[^\]]*\s)?Rank (?P<rank>\d+)\]")

# a line that speaks of the error that follows, e.g. `rank 1 failed:`, and not just of the rank that spoke last
INTRODUCES = re.compile(r":\s*$|fail|error|exception|crash", re.IGNORECASE)


class Identities:
    """Resolves a place's speaker to a global rank. Built once from all evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self._sources = {s.index: s for s in evidence.sources}
        self._by_pid: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._by_bus: dict[int, set[int]] = defaultdict(set)
        self.by_local: dict[tuple[int, int], int] = {}
        self._in_source: dict[int, set[int]] = defaultdict(set)
        self._agents = {n.place.source for n in evidence.notices if n.format == "torchrun" and n.kind != "joined"}
        self._learn_table(evidence)
        self._learn_local_ranks(evidence)
        self._learn_members(evidence)
        self._learn_sightings(evidence)
        self.nodes = _ranks_of_nodes(evidence)
        self.several_nodes = (
            len({r.host for r in evidence.rows}) > 1
            or len(self._agents) > 1
            or any(int(n.fields["nodes"]) > 1 for n in evidence.notices if n.kind == "node-count")
        )

    def _learn_table(self, evidence: Evidence) -> None:
        for row in evidence.rows:
            self._by_pid[(row.place.source, row.pid)].add(row.rank)
            self.by_local[(row.place.source, row.local_rank)] = row.rank
            self._in_source[row.place.source].add(row.rank)

    def _learn_local_ranks(self, evidence: Evidence) -> None:
        told: dict[int, set[str]] = defaultdict(set)
        for notice in evidence.notices:
            if notice.kind == "local-ranks":
                told[notice.place.source].add(notice.fields["ranks"])
        for source, lists in told.items():
            if len(lists) == 1:  # of several agents in one text nothing tells whose line it is
                for local_rank, rank in enumerate(next(iter(lists)).split(", ")):
                    self.by_local[(source, local_rank)] = int(rank)

    def _learn_members(self, evidence: Evidence) -> None:
        for notice in evidence.notices:
            fields = notice.fields
            if notice.kind == "member" and "rank" in fields and "pid" in fields:
                self._by_pid[(notice.place.source, int(fields["pid"]))].add(int(fields["rank"]))
            if notice.kind == "device":
                self._by_pid[(notice.place.source, int(fields["pid"]))].add(int(fields["rank"]))
                self._by_bus[int(fields["bus"], 16) >> 12].add(int(fields["rank"]))
        self._learn_spawned(evidence)

    def _learn_spawned(self, evidence: Evidence) -> None:
        # mp.spawn starts processes in the order of ranks, and ends all but the one that it re-raises
        ended = sorted({int(n.fields["pid"]) for n in evidence.notices if n.kind == "closing" and n.format == "spawn"})
        raised = {t.spawn_index for t in evidence.tracebacks if t.spawn_index is not None}
        raised |= {int(n.fields["rank"]) for n in evidence.notices if n.format == "spawn" and "rank" in n.fields}
        ranks = {s.rank for s in evidence.sightings} | raised
        others = sorted(ranks - raised)
        if len(raised) == 1 and len(others) == len(ended):
            source = next(n.place.source for n in evidence.notices if n.format == "spawn")
            for pid, rank in zip(ended, others, strict=True):
                self._by_pid[(source, pid)].add(rank)
        # DeepSpeed's launcher on one node: the local rank is the rank
        spawned = [n for n in evidence.notices if n.kind == "spawned"]
        for notice in spawned if len({n.place.source for n in spawned}) == 1 else []:
            self._by_pid[(notice.place.source, int(notice.fields["pid"]))].add(int(notice.fields["local_rank"]))

    def _learn_sightings(self, evidence: Evidence) -> None:
        speakers = [t.place for t in evidence.tracebacks] + [m.place for m in evidence.messages]
        for place in speakers:
            speaker = place.speaker
            if speaker.rank is not None:
                self._in_source[place.source].add(speaker.rank)
                if speaker.local_rank is not None:
                    self.by_local.setdefault((place.source, speaker.local_rank), speaker.rank)
        for sighting in evidence.sightings:
            self._in_source[sighting.source].add(sighting.rank)
            for pid in sighting.pids:  # a process that speaks of several ranks stays unknown
                self._by_pid[(sighting.source, pid)].add(sighting.rank)
            if sighting.local_rank is not None:
                self.by_local.setdefault((sighting.source, sighting.local_rank), sighting.rank)

    def rank_of(self, place: Place, header: str = "") -> int | None:
        """Return the global rank that speaks at a place, or None when nothing tells."""
        speaker = place.speaker
        if speaker.rank is not None and not self._is_task_of_agent(place):
            return speaker.rank
        if speaker.pid is not None:
            return self.process(speaker.pid, None, place.source)
        by_local = self._by_local(place.source, speaker)
        if by_local is not None:
            return by_local
        clue = CLUE.search(header) if INTRODUCES.search(header) else None
        if clue:
            return int(clue[1] or clue[2])
        return self._by_file(place.source)

    def _is_task_of_agent(self, place: Place) -> bool:
        """Tell whether srun's label is a node and not a rank: with one torchrun per task."""
        return place.source in self._agents and self._sources[place.source].rank == place.speaker.rank is not None

    def _by_local(self, source: int, speaker: Speaker) -> int | None:
        if speaker.local_rank is None:
            return None
        known = self.by_local.get((source, speaker.local_rank))
        return known if known is not None or self.several_nodes else speaker.local_rank

    def _by_file(self, source: int) -> int | None:
        """Return the one rank that speaks in a file, unless the file is a launcher's or the only one."""
        ranks = self._in_source[source] or self.of_pod(source)
        if len(ranks) != 1 or source in self._agents or len(self._sources) == 1:
            return None
        return next(iter(ranks))

    def of_pod(self, source: int) -> set[int]:
        """Return the rank of a pod with one process: where no pod shows another rank, its index is its rank."""
        index = self._pod_index(source)
        alone = all((n := self._pod_index(other)) is None or self._in_source[other] <= {n} for other in self._sources)
        shown = not self._agents or any(self._in_source[other] for other in self._sources)
        alone &= shown
        return {index} if index is not None and alone and self._sources[source].format == "kubernetes" else set()

    def _pod_index(self, source: int) -> int | None:
        index = (self._sources[source].node or "").rpartition("-")[2]
        return int(index) if index.isdecimal() else None

    def process(self, pid: int, local_rank: int | None, source: int) -> int | None:
        """Return the rank of a process that a launcher's line names; pids of two nodes in one file may be equal."""
        known = self._by_pid.get((source, pid), set())
        if len(known) == 1:
            return next(iter(known))
        by_local = self._by_local(source, Speaker(local_rank=local_rank)) if not known else None
        if by_local is not None:
            self._by_pid[(source, pid)].add(by_local)
        return by_local

    def of_machine_line(self, captures: dict[str, str]) -> int | None:
        """Return the rank that a kernel's or cluster's line is about: by process, GPU or host."""
        if "pid" in captures and (rank := self.anywhere(int(captures["pid"]))) is not None:
            return rank
        parts = captures.get("bdf", "").split(":")
        ranks = self._by_bus.get(int(parts[-2], 16), set()) if len(parts) > 1 else set()
        if not ranks and (host := captures.get("host")):
            named = [s.index for s in self._sources.values() if s.node and host.endswith(s.node)]
            ranks = {r for source in named for r in self._in_source[source] or self.of_pod(source)}
        return next(iter(ranks)) if len(ranks) == 1 else None

    def anywhere(self, pid: int) -> int | None:
        """Return the rank of a process that a kernel's line names, when only one rank has that pid."""
        ranks = {rank for (_, known), members in self._by_pid.items() if known == pid for rank in members}
        return next(iter(ranks)) if len(ranks) == 1 else None


def _ranks_of_nodes(evidence: Evidence) -> dict[str, list[int]]:
    """Return which ranks run on which node, where the launcher says so."""
    nodes: dict[str, list[int]] = {}
    for notice in evidence.notices:
        if notice.kind == "nodes":
            try:
                nodes |= {
                    str(n): [int(r) for r in ranks] for n, ranks in ast.literal_eval(notice.fields["mapping"]).items()
                }
            except (ValueError, SyntaxError, TypeError, AttributeError):
                continue  # a line that was cut: the mapping is then not known
    return nodes
