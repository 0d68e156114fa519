"""The command `firstfault.diagnose`: read in a thread, with progress and cancel; publish; answer."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from firstfault import analysis, relevance
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.lsp import marks, progress, remedies
from firstfault.lsp.frames import Files
from firstfault.lsp.requests import Asked
from firstfault.lsp.runs import Mark, Run
from firstfault.model import Evidence

if TYPE_CHECKING:
    from firstfault.lsp.session import FirstfaultServer

STOPPED_BY_HAND = "user/interrupted"
log = logging.getLogger(__name__)


async def diagnose(ls: FirstfaultServer, asked: Asked) -> dict[str, Any]:
    """Return the answer and mark the lines that it speaks of.

    Raises `FirstfaultError` when there is nothing to read, `CancelledError` when the person who asked has cancelled.
    """
    return await _show(ls, asked, *await _timed(ls, asked))


async def diagnose_command(ls: FirstfaultServer, asked: Asked) -> dict[str, Any] | None:
    """Return the answer for what a command of a terminal printed; None, and no marks, where it is nothing to speak of.

    That is: it was no training run, nothing failed, or a person stopped it.
    """
    command, folder = asked.request.command or "", asked.request.cwd
    if await asyncio.to_thread(relevance.bystander, command):
        return None
    trains = await asyncio.to_thread(relevance.starts_training, command, folder)
    order, diagnosis, evidence = await _timed(ls, asked)
    stopped = diagnosis.cause is not None and diagnosis.cause.id == STOPPED_BY_HAND
    if diagnosis.verdict == "no_failure" or stopped or not (trains or relevance.shows_ranks(evidence)):
        log.info("%s: not a failed training run", asked.title)
        return None
    return await _show(ls, asked, order, diagnosis, evidence)


async def _timed(ls: FirstfaultServer, asked: Asked) -> tuple[int, Diagnosis, Evidence]:
    order, started = ls.runs.next_order(), time.monotonic()
    diagnosis, evidence = await _read(ls, asked)
    log.info("%s: %s after %.2f s", asked.title, diagnosis.verdict, time.monotonic() - started)
    return order, diagnosis, evidence


async def _show(
    ls: FirstfaultServer, asked: Asked, order: int, diagnosis: Diagnosis, evidence: Evidence
) -> dict[str, Any]:
    files = _files(ls, asked)
    found = await asyncio.to_thread(marks.of, diagnosis, evidence, files)
    found += await asyncio.to_thread(_remedies, ls, asked, diagnosis, files, found)
    sources = await asyncio.to_thread(marks.sources, diagnosis, evidence, files, found)
    name = asked.name or str(order)
    ls.publish(ls.runs.put(Run(asked.key, order, name, asked.request, evidence, diagnosis, found, sources)))
    ls.recheck({mark.path for mark in found})
    return diagnosis.as_json()


async def _read(ls: FirstfaultServer, asked: Asked) -> tuple[Diagnosis, Evidence]:
    """Read in a thread. A thread cannot be cancelled: when this is, the thread is told to stop and not waited for."""
    stop, meter, task = threading.Event(), progress.Meter(), asyncio.current_task()
    assert task is not None
    known, broken = await asyncio.to_thread(ls.signatures.load, ls.trusted_folders())
    ls.complain(broken)
    async with progress.shown(ls, meter, asked, task.cancel):
        try:
            reading = partial(_conclude, asked.request, known, analysis.Onlooker(meter.show, stop.is_set))
            return await asyncio.get_running_loop().run_in_executor(ls.readers, reading)
        finally:
            stop.set()


def _conclude(request: analysis.Request, known: Catalogue, onlooker: analysis.Onlooker) -> tuple[Diagnosis, Evidence]:
    """Return the answer with its evidence, which has the source lines of the frames."""
    evidence = analysis.read(request, known, onlooker)
    return analysis.conclude(evidence, known, request.facts), evidence


def _remedies(ls: FirstfaultServer, asked: Asked, diagnosis: Diagnosis, files: Files, found: list[Mark]) -> list[Mark]:
    """Return the places of remedies outside the marked code."""
    if diagnosis.cause is None or diagnosis.verdict == "no_failure":
        return []
    known, _ = ls.signatures.load(ls.trusted_folders())
    signature = known.get(diagnosis.cause.id)
    return remedies.of(diagnosis, asked.request.command, signature.launch_fixes if signature else (), files, found)


def _files(ls: FirstfaultServer, asked: Asked) -> Files:
    """Collect where the run's sources may lie, and the editor's newer texts of them."""
    request = asked.request
    near = [request.cwd] if request.cwd else []
    near += [path if path.is_dir() else path.parent for path in request.paths]
    return Files(tuple(ls.folders()), tuple(near), ls.documents())
