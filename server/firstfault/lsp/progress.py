"""How far a diagnosis is: counted by the thread that reads, shown by the loop that talks to the editor."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from firstfault import wording
from firstfault.analysis import Progress
from firstfault.lsp.requests import Asked

if TYPE_CHECKING:
    from firstfault.lsp.session import FirstfaultServer

PATIENCE = 0.15  # seconds; what is answered sooner needs no progress bar
INTERVAL = 0.1
SHORT = 1_000_000  # characters of a text that needs no progress bar on any machine


class Meter:
    """The latest progress. A plain attribute: one thread writes it, the loop looks at it."""

    def __init__(self) -> None:
        self.now = Progress(0, 0)

    def show(self, progress: Progress) -> None:
        """Take the count of the thread that reads."""
        self.now = progress

    @property
    def percentage(self) -> int:
        """Return how much is read; a compressed file holds more than its size, so it stays below 100."""
        return min(99, self.now.done * 100 // self.now.total) if self.now.total else 0

    @property
    def message(self) -> str:
        """Say how much was read, of how many ranks, and what the answer is so far."""
        return wording.progress(self.now.done, self.now.total, self.now.ranks, self.now.so_far)


@asynccontextmanager
async def shown(ls: FirstfaultServer, meter: Meter, asked: Asked, cancel: Callable[[], object]) -> AsyncIterator[None]:
    """Show a progress bar during the body, where the editor has them; `cancel` is called when its button is pressed.

    Its token is the name that the editor gave to its question, where it gave one.
    """
    window, text = ls.client_capabilities.window, asked.request.text
    if window is None or not window.work_done_progress or (text is not None and len(text) < SHORT):
        yield
        return
    showing = asyncio.ensure_future(_show(ls, meter, asked, cancel))
    try:
        yield
    finally:
        showing.cancel()
        await asyncio.wait([showing])


async def _show(ls: FirstfaultServer, meter: Meter, asked: Asked, cancel: Callable[[], object]) -> None:
    """Begin, report and end, until cancelled."""
    await asyncio.sleep(PATIENCE)
    bar, token = ls.work_done_progress, asked.name or str(uuid.uuid4())
    creating = asyncio.ensure_future(bar.create_async(token))
    try:
        # shielded, for pygls cannot take the answer to a request that was cancelled
        await asyncio.shield(creating)
        bar.tokens[token].add_done_callback(lambda _: cancel())
        message = f"reading {asked.title}"
        bar.begin(token, types.WorkDoneProgressBegin("Firstfault", message=message, cancellable=True, percentage=0))
        await _report(ls, meter, token)
    except JsonRpcException:
        return  # the editor has no bar to give after all
    finally:
        creating.add_done_callback(lambda _: _forget(ls, token, creating))


async def _report(ls: FirstfaultServer, meter: Meter, token: str) -> None:
    bar, last = ls.work_done_progress, (0, "")
    try:
        while True:
            await asyncio.sleep(INTERVAL)
            now = meter.percentage, meter.message
            if now != last and meter.now.done:
                last = now
                bar.report(token, types.WorkDoneProgressReport(message=now[1], percentage=now[0]))
    finally:
        bar.end(token, types.WorkDoneProgressEnd())


def _forget(ls: FirstfaultServer, token: str, creating: asyncio.Future[Any]) -> None:
    """Drop a token, which pygls would keep, and look at an error that nobody waits for any more."""
    ls.work_done_progress.tokens.pop(token, None)
    if not creating.cancelled():
        creating.exception()
