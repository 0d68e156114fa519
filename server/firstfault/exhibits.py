"""What a verdict rests on, as places with bounded excerpts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from firstfault.attribution.case import Case, Conclusion, Statement
from firstfault.attribution.peers import user_frame
from firstfault.diagnosis import EvidenceItem, EvidenceRole, Location
from firstfault.model import Place
from firstfault.parsing.tracebacks import is_user_code

EXCERPT_LINES = 40
ALL_LINES = 200
MANY = 8  # evidence items of one kind that are worth showing


def evidence(case: Case, conclusion: Conclusion) -> Iterator[EvidenceItem]:
    """Yield the places that the verdict rests on, decisive ones last and whole, others collapsed."""
    room = ALL_LINES
    decisive = list({s.order: s for s in conclusion.decisive}.values())
    groups: dict[str, list[Statement]] = defaultdict(list)
    for statement in case.statements():
        if statement.order not in {s.order for s in decisive} and statement.role in ("collateral", "either"):
            groups[f"{statement.finding.signature if statement.finding else ''}"].append(statement)
    for statements in groups.values():
        for statement in statements[:MANY]:
            room -= 1
            yield _item(case, statement, "collateral", 1)
    for place in conclusion.places[:MANY]:
        yield _place_item(case, place)
    for statement in decisive[:MANY]:
        lines = max(1, min(EXCERPT_LINES, room))
        room -= lines
        role: EvidenceRole = "initiating" if statement.role == "initiator" else "collateral"
        yield _item(case, statement, role, lines)


def _item(case: Case, statement: Statement, role: EvidenceRole, lines: int) -> EvidenceItem:
    text = statement.traceback.text if statement.traceback else tuple(statement.text.splitlines())
    if lines == 1:
        text = tuple(statement.text.strip().splitlines()[:1])
    place = statement.place
    path, first = case.evidence.sources[place.source].at(place.line)
    return EvidenceItem(
        path,
        first,
        first + place.end_line - place.line,
        statement.rank,
        place.speaker.node,
        place.time,
        role,
        statement.finding.signature if statement.finding else None,
        "\n".join(line[:1000] for line in shorten(text, lines)),
    )


def shorten(lines: Sequence[str], most: int) -> list[str]:
    """Keep the beginning and the end of an excerpt, which tell most, and say how much is left out."""
    if len(lines) <= most:
        return list(lines)
    head = most // 3
    tail = most - head - 1
    return [*lines[:head], f"… {len(lines) - head - tail} lines …", *lines[-tail:]]


def _place_item(case: Case, place: Place) -> EvidenceItem:
    path, first = case.evidence.sources[place.source].at(place.line)
    quote = next((n.text for n in case.notices if n.place == place), "")
    return EvidenceItem(
        path,
        first,
        first + place.end_line - place.line,
        place.speaker.rank,
        place.speaker.node,
        place.time,
        "context",
        None,
        quote,
    )


def location(decisive: Sequence[Statement]) -> Location | None:
    """Return the deepest frame of the user's own code of the decisive traceback."""
    for statement in decisive:
        frame = user_frame(statement)
        if frame:
            return Location(frame.path, frame.line, frame.function)
    return None


def script(decisive: Sequence[Statement]) -> str | None:
    """Return the script that the failed process ran: the user's outermost frame, where that is a module's."""
    for statement in decisive:
        chain = statement.traceback.chain if statement.traceback else ()
        frames = [frame for raised in chain for frame in raised.frames if is_user_code(frame.path)]
        if frames and frames[0].function == "<module>" and frames[0].path.endswith(".py"):
            return frames[0].path
    return None
