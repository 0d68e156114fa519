"""Evidence as a small JSON file: written where the logs are, merged where the answer is wanted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cattrs

from firstfault.errors import FirstfaultError
from firstfault.model import Evidence, Place

KEY = "firstfault_evidence"
VERSION = 1
_converter = cattrs.Converter(forbid_extra_keys=True)


def write(evidence: Evidence, path: Path) -> None:
    """Write evidence to a file."""
    try:
        path.write_text(json.dumps(as_json(evidence)), encoding="utf-8")
    except OSError as error:
        raise FirstfaultError(f"{path}: cannot be written: {error.strerror}") from error


def as_json(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as the JSON object that such a file holds."""
    return {KEY: VERSION, **_converter.unstructure(evidence)}


def is_evidence(path: Path) -> bool:
    """Tell whether a file was written by `write`, by its first bytes."""
    if path.suffix != ".json" or not path.is_file():
        return False
    with path.open("rb") as stream:
        return KEY.encode() in stream.read(40)


def read(path: Path) -> Evidence:
    """Read evidence from a file; raise `FirstfaultError` when it is not such a file."""
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if raw.pop(KEY) != VERSION:
            raise FirstfaultError(f"{path}: written by another version of firstfault; run extract again with this one")
        return _converter.structure(raw, Evidence)
    except OSError as error:
        raise FirstfaultError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, cattrs.BaseValidationError) as error:
        raise FirstfaultError(f"{path}: not a file of evidence (made by `firstfault extract`)") from error


def merge(parts: Sequence[Evidence]) -> Evidence:
    """Return the evidence of all parts as if it had been read at once; sources are numbered anew."""
    whole = Evidence()
    for part in parts:
        _add(whole, part, len(whole.sources))
    return whole


def _add(whole: Evidence, part: Evidence, by: int) -> None:
    def moved(place: Place) -> Place:
        return replace(place, source=place.source + by)

    whole.sources += [replace(s, index=s.index + by) for s in part.sources]
    whole.tracebacks += [replace(t, place=moved(t.place)) for t in part.tracebacks]
    whole.messages += [replace(m, place=moved(m.place)) for m in part.messages]
    whole.notices += [replace(n, place=moved(n.place)) for n in part.notices]
    whole.rows += [replace(r, place=moved(r.place)) for r in part.rows]
    whole.sightings += [replace(s, source=s.source + by) for s in part.sightings]
    whole.progress |= {index + by: numbers for index, numbers in part.progress.items()}
    whole.last_lines |= {index + by: number for index, number in part.last_lines.items()}
    for template, amounts in part.amounts.items():
        whole.amounts.setdefault(template, {}).update(amounts)
    for mine, theirs in (
        (whole.frameworks, part.frameworks),
        (whole.launchers, part.launchers),
        (whole.notes, part.notes),
    ):
        mine += [item for item in theirs if item not in mine]
    whole.empty &= part.empty
