"""How long the catalogue takes to load: cold (no snapshot, TOML parsed) and warm (from the snapshot), median of runs.

    .venv/bin/python benchmarks/catalogue_load.py [RUNS]

Each run is a process of its own. On a machine that does other things the processor time is the one to compare.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

RUN = """
import time
start = time.perf_counter()
from firstfault import catalogue
imported, used = time.perf_counter(), time.process_time()
catalogue.builtin()
print(imported - start, time.perf_counter() - imported, time.process_time() - used)
"""


def main() -> None:
    """Print both medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as cache:
        warm_environment = {**os.environ, "XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "HOME": cache}
        measure(warm_environment)
        warm = [measure(warm_environment) for _ in range(runs)]
    cold = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(measure({**os.environ, "XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "HOME": cache}))
    for name, times in (("warm", warm), ("cold", cold)):
        imported, loaded, processor = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
        print(f"{name}: load {loaded:.0f} ms (processor {processor:.0f} ms), import of the module {imported:.0f} ms")


def measure(environment: dict[str, str]) -> tuple[float, ...]:
    """Return the seconds of one run: import, load, and processor time of the load."""
    command = [sys.executable, "-c", RUN]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return tuple(map(float, output.split()))


if __name__ == "__main__":
    main()
