"""Whose words are these? Prefixes, files, process ids and failure tables give a rank to what has none."""

from __future__ import annotations

from collections import defaultdict

from firstfault.model import Evidence, Place, Speaker
from firstfault.parsing.census import CLUE


class Identities:
    """Resolves a place's speaker to a global rank. Built once from all evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self._sources = {s.index: s for s in evidence.sources}
        self._by_pid: dict[tuple[int, int], set[int]] = defaultdict(set)
        self.by_local: dict[tuple[int, int], int] = {}
        self._in_source: dict[int, set[int]] = defaultdict(set)
        self._agents = {n.place.source for n in evidence.notices if n.format == "torchrun" and n.kind != "joined"}
        self._learn_table(evidence)
        self._learn_members(evidence)
        self._learn_sightings(evidence)
        self._several_nodes = len({r.host for r in evidence.rows}) > 1 or len(self._agents) > 1

    def _learn_table(self, evidence: Evidence) -> None:
        for row in evidence.rows:
            self._by_pid[(row.place.source, row.pid)].add(row.rank)
            self.by_local[(row.place.source, row.local_rank)] = row.rank

    def _learn_members(self, evidence: Evidence) -> None:
        for notice in evidence.notices:
            fields = notice.fields
            if notice.kind == "member" and "rank" in fields and "pid" in fields:
                self._by_pid[(notice.place.source, int(fields["pid"]))].add(int(fields["rank"]))
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
        clue = CLUE.search(header)
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
        return known if known is not None or self._several_nodes else speaker.local_rank

    def _by_file(self, source: int) -> int | None:
        """Return the one rank that speaks in a file, unless the file is a launcher's or the only one."""
        ranks = self._in_source[source] or self.of_pod(source)
        if len(ranks) != 1 or source in self._agents or len(self._sources) == 1:
            return None
        return next(iter(ranks))

    def of_pod(self, source: int) -> set[int]:
        """Return the rank of a pod with a process of its own: where no pod runs a launcher, its index is its rank."""
        index = self._pod_index(source)
        alone = not self._agents and all(
            (n := self._pod_index(other)) is None or self._in_source[other] <= {n} for other in self._sources
        )
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

    def anywhere(self, pid: int) -> int | None:
        """Return the rank of a process that a kernel's line names, when only one rank has that pid."""
        ranks = {rank for (_, known), members in self._by_pid.items() if known == pid for rank in members}
        return next(iter(ranks)) if len(ranks) == 1 else None
