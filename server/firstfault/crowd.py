"""Many texts -> Evidence, by a pool of processes. None outlives the one that asked, and all stop when it says so."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_bool
from functools import partial
from multiprocessing.connection import wait as wait_for_sentinel
from typing import Protocol

from firstfault import evidence_file, reading
from firstfault.catalogue import Catalogue, builtin
from firstfault.errors import Cancelled
from firstfault.extraction import Watch, extract, extract_by
from firstfault.model import Evidence
from firstfault.reading import Opened
from firstfault.shapes import Shapes
from firstfault.signature import Signature

WORTH = 64 << 20  # bytes; fewer are read sooner than processes start
FEWEST = 4  # texts
BATCH = 24 << 20  # bytes that a process reads at a time
PATIENCE = 0.05  # seconds between looks at whether to stop


class _Flag(Protocol):
    """A truth value in shared memory, without a lock that a process could take with it when it dies."""

    value: bool


def worth_it(texts: Sequence[Opened]) -> bool:
    """Tell whether several processes would be faster."""
    files = all(text.path is not None for text in texts)
    return files and len(texts) >= FEWEST and processes() > 1 and sum(map(reading.size, texts)) >= WORTH


def processes() -> int:
    """Return how many processes suit this machine."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 32)


def extract_in_processes(texts: Sequence[Opened], catalogue: Catalogue, watch: Watch, workers: int) -> Evidence:
    """Read the texts in batches and return what they show, in their order. Raises `Cancelled`."""
    context = multiprocessing.get_context("spawn")  # safe beside threads, and the same on every system
    stop, batches = context.RawValue(c_bool, False), list(_batches(texts))
    parts: list[Evidence | None] = [None] * len(batches)
    # the signatures that come with the program are read there: much to hand over would block on a process that dies
    own = [s for s in catalogue.values() if s.id not in builtin()]
    pool = ProcessPoolExecutor(workers, context, _begin, (own, stop))
    try:
        futures = {pool.submit(_read, batch): index for index, batch in enumerate(batches)}
        _gather(futures, batches, parts, watch)
    except BrokenProcessPool:  # e.g. the out-of-memory killer took one: the rest is read here
        for index in [i for i, part in enumerate(parts) if part is None]:
            parts[index] = extract(batches[index], catalogue, watch)
    finally:
        stop.value = True
        pool.shutdown(wait=False, cancel_futures=True)
    return evidence_file.merge([part for part in parts if part is not None])


def _batches(texts: Sequence[Opened]) -> Iterable[list[Opened]]:
    batch, size = list[Opened](), 0
    for text in texts:
        batch.append(text)
        size += reading.size(text)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _gather(
    futures: dict[Future[Evidence], int], batches: list[list[Opened]], parts: list[Evidence | None], watch: Watch
) -> None:
    """Take the results as they come."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, PATIENCE, return_when="FIRST_COMPLETED")
        if watch.stop():
            raise Cancelled
        for future in done:
            index = futures[future]
            parts[index] = future.result()
            watch.advance(sum(map(reading.size, batches[index])))
        if done:
            watch.look(evidence_file.merge([part for part in parts if part is not None]))


_shapes: Shapes | None = None
_stopped: _Flag | None = None


def _begin(own: list[Signature], stop: _Flag) -> None:
    """Prepare a process: nothing that it prints may reach the answer, and it ends with the one that started it."""
    global _shapes, _stopped
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent takes it, and says stop
    os.dup2(sys.__stderr__.fileno() if sys.__stderr__ else os.open(os.devnull, os.O_WRONLY), 1)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=partial(_end_with, parent.sentinel), daemon=True).start()
    _shapes, _stopped = Shapes.of(Catalogue([*builtin().values(), *own])), stop


def _end_with(sentinel: int) -> None:
    wait_for_sentinel([sentinel])
    os._exit(1)


def _read(batch: list[Opened]) -> Evidence:
    assert _shapes is not None
    stopped = _stopped
    assert stopped is not None
    return extract_by(batch, _shapes, Watch(stop=lambda: stopped.value), threads=1)
