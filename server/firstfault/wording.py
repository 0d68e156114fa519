"""Small pieces of wording that several places need alike."""

from __future__ import annotations

from collections.abc import Iterable


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
