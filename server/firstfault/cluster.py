"""Many texts -> Evidence, on a Dask cluster: a thin map over the same `extract`, for paths and URLs that workers see.

Needs the extra `firstfault[cluster]`. Nothing else of Firstfault opens a network connection.
"""

from __future__ import annotations

import posixpath
from contextlib import suppress
from pathlib import Path
from typing import Any

from firstfault import catalogue, evidence_file
from firstfault.catalogue import Catalogue
from firstfault.errors import Cancelled, FirstfaultError
from firstfault.extraction import Watch, extract
from firstfault.model import Evidence
from firstfault.reading import NOT_LOGS, Opened, natural

SCHEME = "dask://"
EXTRA = "--engine needs the extra packages: pip install 'firstfault[cluster]'"
TIMEOUT = "10s"
PATIENCE = 0.1


def extract_on_cluster(paths: list[str], engine: str, signatures: Catalogue, watch: Watch) -> Evidence:
    """Read each text on some worker of the cluster and return what all show, in a natural order of their names."""
    try:
        from distributed import Client  # noqa: PLC0415 - the default install does not have it
    except ImportError as error:
        raise FirstfaultError(EXTRA) from error
    if not engine.startswith(SCHEME):
        raise FirstfaultError(f"{engine}: not an engine; use {SCHEME}HOST:PORT")
    urls = sorted((url for path in paths for url in found(path)), key=natural)
    if not urls:
        raise FirstfaultError(f"{', '.join(paths)}: no log file there")
    own = [s for s in signatures.values() if s.id not in catalogue.builtin()]
    try:
        client = Client("tcp://" + engine.removeprefix(SCHEME), timeout=TIMEOUT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise FirstfaultError(f"{engine}: no Dask scheduler answers there") from error
    with client:
        return evidence_file.merge(_gather(client.map(read, urls, own=own, pure=False), watch))


def _gather(futures: list[Any], watch: Watch) -> list[Evidence]:
    """Wait for the workers; a task whose worker dies is given to another one by Dask itself."""
    from distributed import wait  # noqa: PLC0415

    waiting = futures
    while waiting:
        with suppress(TimeoutError):
            left = wait(waiting, timeout=PATIENCE, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
            waiting = list(left.not_done)
        if watch.stop():
            for future in futures:
                future.cancel()
            raise Cancelled
    return [future.result() for future in futures]


def found(path: str) -> list[str]:
    """Return the URLs of the logs below a path or URL."""
    import fsspec  # noqa: PLC0415

    try:
        system, root = fsspec.core.url_to_fs(path if "://" in path else Path(path).absolute().as_uri())
        files = system.find(root)
    except (OSError, ImportError, ValueError) as error:
        raise FirstfaultError(f"{path}: cannot be listed: {error}") from error
    return [str(system.unstrip_protocol(file)) for file in files if posixpath.splitext(file)[1] not in NOT_LOGS]


def read(url: str, own: list[Any]) -> Evidence:
    """Read one text; this runs on a worker."""
    import fsspec  # noqa: PLC0415

    known = Catalogue([*catalogue.builtin().values(), *own]) if own else catalogue.builtin()
    name = url.partition("://")[2]
    try:
        with fsspec.open(url, "rb", compression="infer") as stream:
            return extract([Opened(None, name, stream=stream, url=url)], known)
    except OSError as error:
        return Evidence(notes=[f"{url}: cannot be read: {error}"])
