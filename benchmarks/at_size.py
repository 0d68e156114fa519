"""Measure a whole `firstfault diagnose` against `rg -c -F -f` with the same literals and against `wc -l`, side by side.

Usage: python benchmarks/at_size.py [WHAT ...] [--gb 1,10] [--folder FILES] [--rounds N]

Needs `rg` and `wc`. Logs are made in the temporary folder and deleted after. Each tool runs in turn, some rounds, and
its least time counts, as wall and as processor time: on a busy machine only the latter says much.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firstfault import catalogue
from firstfault.shapes import Shapes

LINES = 40_000  # that are made once and repeated
STEP = (
    "[rank{rank}]:2026-11-30 12:{minute:02d}:{second:02d},{milli:03d} INFO train.py:{line} step {step} loss {loss:.4f} "
    "lr 3.0e-04 grad_norm {norm:.3f} tokens/s {speed} mem 61.2GiB\n"
)
NOISE = (
    "[rank{rank}]: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. {step}\n",
    "[rank{rank}]: INFO NCCL INFO Bootstrap : Using eth0:10.0.0.{line}<0>\n",
    "[rank{rank}]: WARNING Exception while fetching shard {step}: retrying in {loss:.4f} s\n",
    "[rank{rank}]: python: no cache /tmp/x{step}, trying again\n",
)
ERROR = (
    '[rank3]: Traceback (most recent call last):\n[rank3]:   File "/job/train.py", line 42, in <module>\n'
    "[rank3]:     main()\n[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
)


def lines(ranks: int, *, noisy: bool = False) -> Iterator[str]:
    """Yield a stretch of training log."""
    chance = random.Random(ranks)
    for i in range(max(LINES, ranks * 10)):
        shape = NOISE[i // 10 % len(NOISE)] if noisy and i % 10 == 0 else STEP
        yield shape.format(
            rank=chance.randrange(ranks),
            minute=i // 600 % 60,
            second=i // 10 % 60,
            milli=chance.randrange(1000),
            line=chance.randrange(250),
            step=100_000 + i,
            loss=chance.random(),
            norm=chance.random(),
            speed=chance.randrange(10_000, 99_999),
        )


def make(path: Path, size: float, stretch: bytes, end: str = ERROR) -> None:
    """Write a log of a size with a failure at its end."""
    with path.open("wb") as log:
        for _ in range(max(1, int(size / len(stretch)))):
            log.write(stretch)
        log.write(end.encode())


@dataclass(slots=True)
class Cost:
    """The least of several runs: seconds by the clock, seconds of processor, most memory in MB."""

    wall: float = 1e9
    cpu: float = 1e9
    memory: float = 0


def run(command: list[str], cost: Cost, expected: str = "") -> None:
    """Run a command once and take its cost into account; it must print what is expected."""
    before, output = time.perf_counter(), tempfile.TemporaryFile()  # noqa: SIM115
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    cost.wall = min(cost.wall, time.perf_counter() - before)
    cost.cpu = min(cost.cpu, usage.ru_utime + usage.ru_stime)
    cost.memory = max(cost.memory, usage.ru_maxrss / 1024)
    output.seek(0)
    if expected and expected not in output.read().decode():
        sys.exit(f"{' '.join(command)}: does not say {expected!r}")


def compare(title: str, path: Path, literals: Path, rounds: int) -> None:
    """Print one row: our time, those of ripgrep and wc, and the ratios."""
    size = sum(f.stat().st_size for f in path.rglob("*")) if path.is_dir() else path.stat().st_size
    files = [str(f) for f in sorted(path.rglob("*"))] if path.is_dir() else [str(path)]
    ours, rg, wc = Cost(), Cost(), Cost()
    for _ in range(rounds):
        run([sys.executable, "-m", "firstfault", "diagnose", str(path)], ours, "Rank 3 broke the run")
        run(["rg", "-c", "-F", "-f", str(literals), str(path)], rg)
        run(["wc", "-l", *files], wc)
    print(
        f"{title:26} {size / 1e6:6.0f} MB | ours {ours.wall:6.2f} s wall {ours.cpu:6.2f} s cpu {ours.memory:4.0f} MB"
        f" | rg {rg.wall:6.2f} / {rg.cpu:6.2f} | wc {wc.wall:5.2f} / {wc.cpu:5.2f} | rg/ours {rg.wall / ours.wall:5.2f}"
        f" wall {rg.cpu / ours.cpu:5.2f} cpu | ours/wc {ours.wall / wc.wall:5.1f}",
        flush=True,
    )


def large(folder: Path, literals: Path, options: argparse.Namespace) -> None:
    """Read interleaved logs of 64 ranks."""
    stretch = "".join(lines(64)).encode()
    for gigabytes in options.gb:
        make(folder / "large.log", gigabytes * 1e9, stretch)
        compare(f"interleaved, {gigabytes:g} GB", folder / "large.log", literals, options.rounds)


def noisy(folder: Path, literals: Path, options: argparse.Namespace) -> None:
    """Read a log in which every tenth line matches something."""
    make(folder / "noisy.log", options.gb[0] * 1e9, "".join(lines(64, noisy=True)).encode())
    compare("every tenth line matches", folder / "noisy.log", literals, options.rounds)


def many(folder: Path, literals: Path, options: argparse.Namespace) -> None:
    """Read a folder of files of 4 MB, one for each rank."""
    text = re.sub(r"^\[rank\d+\]:", "", "".join(lines(64)), flags=re.MULTILINE).encode()
    logs = folder / "logs"
    logs.mkdir()
    for rank in range(options.folder):
        make(logs / f"rank_{rank}.log", 4e6, text[:2_000_000], ERROR.replace("[rank3]: ", "") if rank == 3 else "")
    compare(f"{options.folder} files of 4 MB", logs, literals, options.rounds)
    shutil.rmtree(logs)


def growth(folder: Path, literals: Path, options: argparse.Namespace) -> None:
    """Measure time against size."""
    stretch = "".join(lines(64)).encode()
    for size in (1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10):
        if size <= options.gb[-1] * 1e9:
            make(folder / "grown.log", size, stretch)
            compare("time against size", folder / "grown.log", literals, options.rounds)


def ranks(folder: Path, literals: Path, options: argparse.Namespace) -> None:
    """Measure time against ranks."""
    for number in (8, 32, 128, 512, 1024, 2048, 4096):
        make(folder / "ranks.log", 2e8, "".join(lines(number)).encode())
        compare(f"{number} ranks", folder / "ranks.log", literals, options.rounds)


def fallback(folder: Path, _literals: Path, _options: argparse.Namespace) -> None:
    """Say how fast the search of the standard library is beside Hyperscan."""
    make(folder / "slow.log", 2e7, "".join(lines(64)).encode())
    code = (
        "import sys,time;from pathlib import Path;from firstfault import catalogue,extraction,reading;"
        "c=catalogue.builtin();t=time.process_time();"
        "extraction.extract([reading.Opened(Path(sys.argv[1]),'x')],c,fast=sys.argv[2]=='1',threads=1);"
        "print(f'{20/(time.process_time()-t):.1f} MB/s')"
    )
    for fast in "10":
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder / "slow.log"), fast], capture_output=True, text=True, check=True
        )
        print(f"{'Hyperscan' if fast == '1' else 'standard library':28} {done.stdout.strip()}", flush=True)


WHAT: dict[str, Callable[[Path, Path, argparse.Namespace], None]] = {
    "large": large,
    "noisy": noisy,
    "folder": many,
    "growth": growth,
    "ranks": ranks,
    "fallback": fallback,
}


def main() -> None:
    """Make, measure, delete."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="*", metavar="WHAT", default=list(WHAT), help=", ".join(WHAT))
    parser.add_argument("--gb", type=lambda text: [float(part) for part in text.split(",")], default=[1.0, 10.0])
    parser.add_argument("--folder", type=int, default=1024, metavar="FILES")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="firstfault-benchmark-") as name:
        literals = Path(name, "literals.txt")
        literals.write_text("\n".join(Shapes.of(catalogue.builtin()).prefilter.literals) + "\n")
        for what in options.what:
            work = Path(name, what)
            work.mkdir()
            WHAT[what](work, literals, options)
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
