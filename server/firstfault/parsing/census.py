"""Count who is there: signs of life per rank, and what ranks say of their share of the data."""

from __future__ import annotations

import re

from firstfault.model import Evidence, Sighting, Speaker
from firstfault.parsing.tagging import Tagged

CLUE = re.compile(r"\b(?:global_|world_)?rank[ =:]{1,2}(\d{1,6})\b(?!\s*/)|\bGLOBAL_RANK: (\d{1,6})", re.IGNORECASE)
PROGRESS = re.compile(
    r"\b(?:epoch|step|iter(?:ation)?|batch|global_step|train)\b.{0,20}?\d|\d\s*(?:it/s|s/it|samples/s)|\b(?:loss|lr)\b\W{1,4}\d",
    re.IGNORECASE,
)
# one of these is in every match
WORDS = ("step", "loss", "epoch", "iter", "batch", "train", "it/s", "s/it", "samples/s", "lr")
# e.g. "rank 3: 56 rows", "rank 3: len(loader)=14"
AMOUNT = re.compile(
    r"(?P<before>\b(?:rows|samples|batches|steps|examples|records|shards|items|files|len\(\w+\))\s*[=:]?\s*)?"
    r"(?P<number>\d+(?:\.\d+)?)(?P<after>\s*(?:rows|samples|batches|steps|examples|records|shards|items|files)\b)?",
    re.IGNORECASE,
)
KEPT = 8
MAX_TEMPLATES = 50


class Census:
    """Takes the ordinary lines of one source and keeps, per rank, the first and last signs of life."""

    def __init__(self, source: int, evidence: Evidence) -> None:
        self._source, self._evidence = source, evidence
        self._sightings: dict[tuple[int | None, int | None], Sighting] = {}

    @property
    def ranks(self) -> int:
        """How many ranks have been seen."""
        return len(self._sightings)

    def take(self, line: Tagged, number: int) -> None:
        """Note an ordinary line."""
        speaker = line.speaker
        clue = CLUE.search(line.text) if "ank" in line.text or "ANK" in line.text else None
        named = int(clue[1] or clue[2]) if clue else None
        rank = speaker.rank if speaker.rank is not None else named
        progress = _is_progress(line.text)
        if progress:
            _keep(self._evidence.progress.setdefault(self._source, []), number)
        if rank is not None:
            self._seen(rank, speaker, line, number, progress)
            if clue and named == rank:
                self._amount(rank, line.text[clue.end() :])

    def _seen(self, rank: int, speaker: Speaker, line: Tagged, number: int, progress: bool) -> None:
        sighting = self._sightings.get((rank, None))
        if sighting is None:
            sighting = Sighting(self._source, rank)
            self._sightings[(rank, None)] = sighting
            self._evidence.sightings.append(sighting)
        sighting.lines += 1
        if speaker.local_rank is not None:
            sighting.local_rank = speaker.local_rank
        if speaker.pid is not None and speaker.pid not in sighting.pids:
            _keep(sighting.pids, speaker.pid)
        sighting.node = speaker.node or sighting.node
        if line.text.strip():
            sighting.last_line, sighting.last_text, sighting.last_time = number, line.text.strip()[:200], line.time
        if progress:
            _keep(sighting.progress, number)

    def _amount(self, rank: int, text: str) -> None:
        hit = next((m for m in AMOUNT.finditer(text) if m["before"] or m["after"]), None)
        if hit:
            template = re.sub(r"\d+(?:\.\d+)?", "#", text.strip())[:120]
            known = self._evidence.amounts
            if template in known or len(known) < MAX_TEMPLATES:
                known.setdefault(template, {}).setdefault(rank, float(hit["number"]))


def _is_progress(text: str) -> bool:
    """Tell whether training goes on; most lines without are told by their words, before the slow regex looks."""
    lower = text.lower()
    return any(word in lower for word in WORDS) and bool(PROGRESS.search(text))


def _keep(numbers: list[int], number: int) -> None:
    numbers.append(number)
    del numbers[:-KEPT]
