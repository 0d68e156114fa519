"""A progress bar on a terminal; none where nobody looks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from firstfault.analysis import Onlooker, Progress

DELAY = 0.5  # seconds; what is answered sooner needs no bar


@contextmanager
def shown() -> Iterator[Onlooker | None]:
    """Show how far reading is while the body runs, and take it away afterwards."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    try:
        from tqdm import tqdm  # noqa: PLC0415 - needed on a terminal only
    except ImportError:  # the editor's package does not bring it
        yield None
        return
    with tqdm(total=None, unit="B", unit_scale=True, delay=DELAY, leave=False, file=sys.stderr) as line:

        def show(progress: Progress) -> None:
            line.total = max(progress.total, progress.done) or None
            seen = f"{progress.ranks} ranks" if progress.ranks else ""
            line.set_postfix_str("; ".join(filter(None, (seen, progress.so_far))), refresh=False)
            line.update(progress.done - line.n)

        yield Onlooker(show)
