"""Facts of this machine that decide a fix; reads small files and package metadata, never imports torch.

Every function that reads system files takes the root of the file system, so that a made-up tree can stand in for it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Literal

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

StartMethod = Literal["fork", "spawn", "forkserver"]

PACKAGES = ("torch", "lightning", "pytorch-lightning", "accelerate", "transformers", "deepspeed", "ray")
NO_LIMIT = 1 << 60  # a cgroup without a limit says "max", or a number that no machine has
GPU_TIMEOUT = 2.0  # seconds; nvidia-smi hangs when the driver does


@dataclass(frozen=True, slots=True)
class Space:
    """The size of a file system and what is free for this user, in bytes."""

    total: int
    free: int


@dataclass(frozen=True, slots=True)
class Environment:
    """What decides a fix on a machine. `None` is 'not known, or no limit'."""

    system: str
    python: str
    start_method: StartMethod
    packages: Mapping[str, str]
    open_files: int | None
    shared_memory: Space | None
    disk: Space | None
    memory_limit: int | None
    gpus: int | None

    def facts(self) -> dict[str, str]:
        """Return each known fact as a sentence, by the name that signatures ask for it."""
        return dict(_facts(self))


def read(root: Path = Path("/"), folder: Path | None = None, site: Path | None = None) -> Environment:
    """Read the facts of this machine.

    `folder` is where the run writes, else the working directory; `site` is where its packages lie, else beside this
    program.
    """
    system, version = platform.system(), sys.version_info[:2]
    return Environment(
        system=system,
        python=platform.python_version(),
        start_method=default_start_method(system, version),
        packages=installed_versions(site),
        open_files=open_file_limit(),
        shared_memory=space(root / "dev/shm"),
        disk=space(folder or Path()),
        memory_limit=cgroup_memory_limit(root),
        gpus=gpu_count(root),
    )


def default_start_method(system: str, version: tuple[int, int]) -> StartMethod:
    """Return how multiprocessing starts a process where the program does not choose, on that system and Python."""
    if system == "Windows" or (system == "Darwin" and version >= (3, 8)):
        return "spawn"
    return "forkserver" if version >= (3, 14) else "fork"


def installed_versions(site: Path | None = None) -> dict[str, str]:
    """Return the versions of the training packages in a folder of packages, from their metadata."""
    path = sys.path if site is None else [str(site)]
    found = {name: next(iter(metadata.distributions(name=name, path=path)), None) for name in PACKAGES}
    return {name: distribution.version for name, distribution in found.items() if distribution}


def open_file_limit() -> int | None:
    """Return how many files a process may hold open (`ulimit -n`)."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def space(folder: Path) -> Space | None:
    """Return the size and the free space of the file system that holds a folder."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    return Space(usage.total, usage.free)


def cgroup_memory_limit(root: Path) -> int | None:
    """Return the smallest memory limit of this process's control groups, versions 1 and 2."""
    return min((limit for path in _limit_files(root) if (limit := _limit(path)) is not None), default=None)


def _limit_files(root: Path) -> Iterator[Path]:
    """Yield the limit files of every group above this process; inside a container only the topmost may be visible."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")  # e.g. 4:memory:/docker/1f2e or 0::/user.slice
        controllers, _, group = rest.partition(":")
        if controllers and "memory" not in controllers.split(","):
            continue
        mount, name = ("memory", "memory.limit_in_bytes") if controllers else ("", "memory.max")
        inside = PurePosixPath(*(part for part in PurePosixPath(group).parts if part not in ("/", "..")))
        for level in (inside, *inside.parents):
            yield root / "sys/fs/cgroup" / mount / level / name


def _limit(path: Path) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdecimal() and int(text) < NO_LIMIT else None


def gpu_count(root: Path) -> int | None:
    """Return how many NVIDIA GPUs the driver shows, or None where there is no driver to ask."""
    listed = root / "proc/driver/nvidia/gpus"
    if listed.is_dir():
        return len(list(listed.iterdir()))
    program = shutil.which("nvidia-smi")
    return _count_listed(program) if program else None


def _count_listed(program: str) -> int | None:
    try:
        listing = subprocess.run(
            [program, "-L"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=GPU_TIMEOUT, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return sum(line.startswith("GPU ") for line in listing.stdout.splitlines())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _facts(here: Environment) -> Iterator[tuple[str, str]]:
    runs = f"This machine runs {here.system} with Python {here.python}"
    yield "python", f"{runs}, whose default start method is {here.start_method}."
    if here.packages:
        yield "torch", f"Installed here: {', '.join(f'{name} {version}' for name, version in here.packages.items())}."
    if here.open_files is not None:
        yield "open-files", f"A process may hold {here.open_files} files open (ulimit -n)."
    if here.shared_memory:
        yield "shared-memory", f"/dev/shm has {_free(here.shared_memory)}."
    if here.disk:
        yield "disk", f"The disk of the working directory has {_free(here.disk)}."
    if here.memory_limit is not None:
        yield "memory-limit", f"The control group allows {size(here.memory_limit)} of memory."
    if here.gpus is not None:
        yield "gpus", f"The driver shows {here.gpus} GPU{'' if here.gpus == 1 else 's'}."


def _free(there: Space) -> str:
    return f"{size(there.free)} free of {size(there.total)}"


def size(count: int) -> str:
    """Return a number of bytes as a person writes it, e.g. `64.0 MiB`."""
    amount = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if amount < 1024:
            return f"{count} bytes" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TiB"
