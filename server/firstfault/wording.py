"""Small pieces of wording that several places need alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter

GAP = "\0"  # stands for a capture that this log does not give, until the sentence is whole


def listing(ranks: Iterable[int]) -> str:
    """Write ranks for a person: `rank 3`, `ranks 0-2 and 5`."""
    numbers = sorted(set(ranks))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [p for run in runs for p in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run))]
    words = ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)
    return f"{'rank' if len(numbers) == 1 else 'ranks'} {words}"


class _Filler(Formatter):
    def get_value(self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return kwargs.get(str(key)) or GAP


def fill(text: str, captures: Mapping[str, str]) -> str:
    """Return prose with its captures filled in; a sentence closes over what this log does not give."""
    filled = _Filler().vformat(text, (), captures)
    if GAP not in filled:
        return filled
    filled = re.sub(rf" \([^()]*{GAP}[^()]*\)", "", filled)  # an aside that would be empty
    filled = re.sub(rf"\b(R|r)ank {GAP}", lambda hit: "A rank" if hit[1] == "R" else "a rank", filled)
    return filled.replace(GAP, "…")


def fill_command(text: str, captures: Mapping[str, str]) -> str:
    """Return a command with its captures filled in; what this log does not give is a name to replace, e.g. `HOST`."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return fill(text, {name: name.upper() for name in names} | {k: v for k, v in captures.items() if v})


def progress(done: int, total: int, ranks: int, so_far: str) -> str:
    """Return how far reading is in a few words, e.g. `1.2 of 9.8 GB, 64 ranks; so far: rank 3, GPU out of memory`."""
    unit, size = ("GB", 1e9) if max(done, total) >= 1e9 else ("MB", 1e6)
    read = f"{done / size:.1f} of {total / size:.1f} {unit}" if total else f"{done / size:.1f} {unit}"
    seen = f", {ranks} rank{'s' if ranks > 1 else ''}" if ranks else ""
    return f"{read}{seen}" + (f"; so far: {so_far}" if so_far else "")
