"""The system and Python that ran a job, as far as its log and this machine tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firstfault.environment import Environment, default_start_method
from firstfault.model import Evidence
from firstfault.signature import Fact

PYTHON = re.compile(r"[\\/](?:lib[\\/])?[Pp]ython(?P<major>3)\.?(?P<minor>\d{1,2})[\\/]")
WINDOWS, MAC = re.compile(r"^[A-Za-z]:\\"), re.compile(r"^/(?:Users|opt/homebrew|Library)/")
ASK = {
    "system": "the operating system of the machine that ran it, which decides how processes start",
    "python": "the Python version that ran it, which decides the default start method (forkserver on Linux from 3.14)",
}
SITE = "/site-packages"
ALLOCATOR = "PYTORCH_CUDA_ALLOC_CONF"  # every torch from 1.8 on reads it
COMMAND = "python -c 'import multiprocessing as m, sys; print(sys.platform, sys.version, m.get_start_method())'"


@dataclass(frozen=True, slots=True)
class Platform:
    """What ran the job: `system` as `platform.system()` names it, `python` as (3, minor); None is not known."""

    system: str | None = None
    python: tuple[int, int] | None = None
    machine: Environment | None = None  # this one, when it ran the job

    @property
    def here(self) -> bool:
        """Whether this machine ran the job."""
        return self.machine is not None

    def unknown(self, facts: tuple[Fact, ...]) -> Iterator[Fact]:
        """Yield those of the facts that decide between fixes and are not known."""
        if "system" in facts and self.system is None:
            yield "system"
        if "python" in facts and self.python is None:
            yield "python"

    def sentences(self, facts: tuple[Fact, ...]) -> Iterator[str]:
        """Say what is known of the facts that decide a fix."""
        if "system" in facts or "python" in facts:
            yield self.sentence()
        known = self.machine.facts() if self.machine else {}
        yield from (f"This machine ran it. {known[fact]}" for fact in facts if fact in known and fact != "python")

    def allocator(self) -> str:
        """Name the variable that sets PyTorch's allocator: renamed in torch 2.9, which still reads the old name."""
        version = re.match(r"(\d+)\.(\d+)", self.machine.packages.get("torch", "") if self.machine else "")
        new = version is not None and (int(version[1]), int(version[2])) >= (2, 9)
        return "PYTORCH_ALLOC_CONF" if new else ALLOCATOR

    def sentence(self) -> str:
        """Say what is known, and what it decides."""
        source = "this machine ran it" if self.here else "by the paths in the traceback"
        version = f"Python {self.python[0]}.{self.python[1]}" if self.python else "an unknown Python"
        known = f"{self.system or 'An unknown system'}, {version} ({source})"
        if self.system is None or self.python is None:
            return f"{known}."
        method = default_start_method(self.system, self.python)
        return f"{known}: processes start by {method} where the program does not choose."


def of(evidence: Evidence, machine: Environment | None) -> Platform:
    """Return what ran the job: this machine when it did, else what the paths in tracebacks show."""
    if machine is not None:
        major, minor = machine.python.split(".")[:2]
        return Platform(machine.system, (int(major), int(minor)), machine)
    paths = list(_paths(evidence))
    hit = next((h for path in paths if (h := PYTHON.search(path))), None)
    return Platform(_system(paths), (int(hit["major"]), int(hit["minor"])) if hit else None)


def _system(paths: list[str]) -> str | None:
    if any(WINDOWS.match(path) for path in paths):
        return "Windows"
    if any(MAC.match(path) for path in paths):
        return "Darwin"
    # containers and clusters: no other system keeps programs and homes there
    return (
        "Linux"
        if any(path.startswith(("/home/", "/root/", "/opt/", "/workspace/", "/mnt/")) for path in paths)
        else None
    )


def _paths(evidence: Evidence) -> Iterator[str]:
    for traceback in evidence.tracebacks:
        for raised in traceback.chain:
            yield from (frame.path for frame in raised.frames)


def packages_of(evidence: Evidence) -> Path | None:
    """Return the folder of packages that the job's tracebacks name, when this machine has it."""
    sites = (path[: path.index(SITE) + len(SITE)] for path in _paths(evidence) if SITE in path)
    return next((Path(site) for site in dict.fromkeys(sites) if Path(site).is_dir()), None)


def ran_here(evidence: Evidence, folder: Path | None) -> bool:
    """Tell whether this machine ran the job: it has a file that a traceback names, whole or below the run's folder."""
    named = sorted({path for path in _paths(evidence) if Path(path).is_absolute() or folder})[:50]
    return any(Path(folder or "", path).is_file() for path in named)
