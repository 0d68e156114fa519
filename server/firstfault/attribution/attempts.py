"""Tell elastic attempts, and several runs in one text, apart."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict

from firstfault.model import Evidence, Notice, Place

AGENT = re.compile(r"^[EWI]\d{4} \S+ (?P<pid>\d+) ")  # e.g. E1130 14:01:05.671000 13 torch/distributed/elastic/...


class Attempts:
    """Says for a place which attempt of the run it belongs to, counted from 0."""

    def __init__(self, evidence: Evidence) -> None:
        self._by_path = {s.index: s.attempt for s in evidence.sources if s.attempt is not None}
        self._ends: dict[int, list[int]] = {}
        for source, notices in _agent_exits(evidence).items():
            self._ends[source] = sorted(n.place.line for n in notices)
        interleaved = max((len(ends) for ends in self._ends.values()), default=1)
        self.count = max([interleaved, *(a + 1 for a in self._by_path.values())])

    def of(self, place: Place) -> int:
        """Return the attempt of a place; after an agent's last exit line it is the last attempt still."""
        known = self._by_path.get(place.source)
        if known is not None:
            return known
        ends = self._ends.get(place.source, [])
        return min(bisect.bisect_left(ends, place.line), len(ends) - 1) if ends else 0


def _agent_exits(evidence: Evidence) -> dict[int, list[Notice]]:
    """Return, per source, the exit lines of the agent that wrote most of them: one line an attempt."""
    agents: dict[int, dict[str, list[Notice]]] = defaultdict(lambda: defaultdict(list))
    for notice in evidence.notices:
        if notice.kind == "exit" and notice.format == "torchrun":
            hit = AGENT.match(notice.text)
            agents[notice.place.source][hit["pid"] if hit else ""].append(notice)
    return {source: max(by_pid.values(), key=len) for source, by_pid in agents.items()}
