"""The command `firstfault.diagnose`: read in a thread, with progress and cancel; publish; answer."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from firstfault import analysis
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.lsp import marks, progress
from firstfault.lsp.frames import Files
from firstfault.lsp.requests import Asked
from firstfault.lsp.runs import Run
from firstfault.model import Evidence

if TYPE_CHECKING:
    from firstfault.lsp.server import FirstfaultServer

log = logging.getLogger(__name__)


async def diagnose(ls: FirstfaultServer, asked: Asked) -> dict[str, Any]:
    """Return the answer and mark the lines that it speaks of.

    Raises `FirstfaultError` when there is nothing to read, `CancelledError` when the person who asked has cancelled.
    """
    order, started = ls.runs.next_order(), time.monotonic()
    diagnosis, evidence = await _read(ls, asked)
    found = await asyncio.to_thread(marks.of, diagnosis, evidence, _files(ls, asked))
    ls.publish(ls.runs.put(Run(asked.key, order, diagnosis, found)))
    ls.recheck({mark.path for mark in found})
    log.info("%s: %s after %.2f s", asked.title, diagnosis.verdict, time.monotonic() - started)
    return diagnosis.as_json()


async def _read(ls: FirstfaultServer, asked: Asked) -> tuple[Diagnosis, Evidence]:
    """Read in a thread. A thread cannot be cancelled: when this is, the thread is told to stop and not waited for."""
    stop, meter, task = threading.Event(), progress.Meter(), asyncio.current_task()
    assert task is not None
    known, broken = await asyncio.to_thread(ls.signatures.load, ls.trusted_folders())
    ls.complain(broken)
    async with progress.shown(ls, meter, asked.title, task.cancel):
        try:
            reading = partial(_conclude, asked.request, known, analysis.Onlooker(meter.show, stop.is_set))
            return await asyncio.get_running_loop().run_in_executor(ls.readers, reading)
        finally:
            stop.set()


def _conclude(request: analysis.Request, known: Catalogue, onlooker: analysis.Onlooker) -> tuple[Diagnosis, Evidence]:
    """Return the answer with its evidence, which has the source lines of the frames."""
    evidence = analysis.read(request, known, onlooker)
    return analysis.conclude(evidence, known, request.facts), evidence


def _files(ls: FirstfaultServer, asked: Asked) -> Files:
    """Collect where the run's sources may lie, and the editor's newer texts of them."""
    request = asked.request
    near = [request.cwd] if request.cwd else []
    near += [path if path.is_dir() else path.parent for path in request.paths]
    return Files(tuple(ls.folders()), tuple(near), ls.documents())
