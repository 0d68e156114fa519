"""Tell several runs in one text apart: the last one counts."""

from __future__ import annotations

from dataclasses import replace

from firstfault.model import Evidence, Place, TableRow


def last_run(evidence: Evidence) -> Evidence:
    """Return the evidence of the last run; what came before it is named in the notes.

    A failure table that lists a rank which an earlier table of the same text and host listed already is another
    run's: within one run torchelastic prints one table per node. A command typed at a prompt begins a run, too.
    """
    starts: dict[int, int] = {}
    for source in {row.place.source for row in evidence.rows}:
        rows = [row for row in evidence.rows if row.place.source == source]
        ends = _ends(rows)
        if ends and _goes_on(evidence, source, ends[-1]):
            starts[source] = ends[-1]
    for notice in evidence.notices:  # in order: the last command whose run failed counts
        place = notice.place
        if notice.kind == "command" and _goes_on(evidence, place.source, place.line):
            starts[place.source] = max(starts.get(place.source, 0), place.line)
    return _after(evidence, starts) if starts else evidence


def _ends(rows: list[TableRow]) -> list[int]:
    """Return the last lines of all tables but the last run's."""
    ends: list[int] = []
    seen: set[tuple[int, str]] = set()
    last = 0
    for row in sorted(rows, key=lambda r: r.place.line):
        if (row.rank, row.host) in seen:
            ends.append(last)
            seen.clear()
        seen.add((row.rank, row.host))
        last = row.place.end_line
    return ends


def _goes_on(evidence: Evidence, source: int, line: int) -> bool:
    return any(t.place.source == source and t.place.line > line for t in evidence.tracebacks)


def _after(evidence: Evidence, starts: dict[int, int]) -> Evidence:
    def kept(place: Place) -> bool:
        return place.line > starts.get(place.source, 0)

    names = ", ".join(f"{evidence.sources[s].name} up to line {line}" for s, line in sorted(starts.items()))
    return replace(
        evidence,
        tracebacks=[t for t in evidence.tracebacks if kept(t.place)],
        messages=[m for m in evidence.messages if m.place.end_line > starts.get(m.place.source, 0)],
        notices=[n for n in evidence.notices if kept(n.place)],
        rows=[r for r in evidence.rows if kept(r.place)],
        sightings=[s for s in evidence.sightings if s.last_line > starts.get(s.source, 0)],
        notes=[*evidence.notes, f"An earlier run in the same text is not judged: {names}."],
    )
