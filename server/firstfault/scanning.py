"""Blocks of a text with the places worth reading, found by several threads ahead of the one that reads them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from firstfault import reading
from firstfault.errors import FirstfaultError
from firstfault.prefilter import Prefilter
from firstfault.reading import Block, Chunk, Opened

THREADS = 4  # more would find places faster than one thread can read them
AHEAD = 1  # blocks per thread


@dataclass(frozen=True, slots=True)
class Scanned:
    """A block with (offset, index of the literal) of every place that holds one."""

    block: Block
    hits: list[tuple[int, int]]


def scan(text: Opened, prefilter: Prefilter, threads: int) -> Iterator[Scanned]:
    """Yield a text's blocks in order. Raises `FirstfaultError` when reading breaks off midway.

    A buffer is used again `reading.RING` blocks later: who keeps blocks must let go of them before.
    """

    def work(chunk: Chunk) -> Scanned:
        block = reading.tidy(chunk)
        return Scanned(block, prefilter.hits(block.data, block.size))

    chunks = reading.chunks(text)
    for first in chunks:
        yield work(first)
        if not first.last:
            break
    if threads <= 1 or not prefilter.fast:
        yield from map(work, chunks)
        return
    pool = ThreadPoolExecutor(threads, "scanner")
    try:
        yield from _ahead(chunks, lambda chunk: pool.submit(work, chunk), threads * AHEAD)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _ahead(chunks: Iterator[Chunk], submit: Callable[[Chunk], Future[Scanned]], most: int) -> Iterator[Scanned]:
    """Keep some blocks in work; when reading breaks off, what was read before still counts."""
    waiting: deque[Future[Scanned]] = deque()
    broken = None
    try:
        for chunk in chunks:
            waiting.append(submit(chunk))
            if len(waiting) > most:
                yield waiting.popleft().result()
    except FirstfaultError as error:
        broken = error
    for future in waiting:
        yield future.result()
    if broken:
        raise broken


def cores() -> int:
    """Return how many threads may search at once on this machine."""
    return max(1, min(THREADS, os.cpu_count() or 1))
