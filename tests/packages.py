"""The extension's packages for the tests: built once, opened, started; and the Pythons of this machine."""

from __future__ import annotations

import functools
import json
import os
import platform
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIBRARIES: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "wheels.py"))
LOCKED: dict[str, dict[str, str]] = json.loads((ROOT / "requirements" / "bundle.json").read_text())
TARGETS = [target for target in LOCKED if target != "any"]
OLDEST = (3, 10)


def host() -> str:
    """Return the target of this machine, as scripts/vsix.mjs names it."""
    system = {"linux": "alpine" if platform.libc_ver()[0] == "" else "linux"}.get(sys.platform, sys.platform)
    return f"{system}-{'arm64' if platform.machine().lower() in ('arm64', 'aarch64') else 'x64'}"


@functools.cache
def built(target: str) -> Path:
    """Build a target's package, where it is not up to date; return its path."""
    command = ["node", str(ROOT / "scripts" / "package.mjs"), "--target", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    return Path(line)


@functools.cache
def pythons() -> dict[tuple[int, ...], str]:
    """Return one Python of each version that is installed here, too old ones included."""
    names = [f"python3.{minor}" for minor in range(6, 16)]
    shims = Path.home() / ".pyenv" / "versions"
    found = {str(path) for path in shims.glob("*/bin/python")} | {path for n in names if (path := shutil.which(n))}
    versions = {}
    for path in sorted(found):
        asked = [path, "-c", "import sys; print(sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode == 0:  # a shim may stand for a version that is not chosen
            versions[tuple(int(part) for part in done.stdout.strip("()\n ").split(","))] = path
    return {**versions, sys.version_info[:2]: sys.executable}


def copied(server: Path, folder: Path, without: Iterator[str] | tuple[str, ...]) -> Path:
    """Return a copy of a server whose compiled files of some libraries are for other Pythons only."""
    copy = folder / "server"
    shutil.copytree(server, copy, copy_function=os.link, ignore=shutil.ignore_patterns(*_compiled(tuple(without))))
    return copy


def _compiled(libraries: tuple[str, ...]) -> list[str]:
    stems = {"hyperscan": "_hs_ext", "libcst": "native", "regex": "_regex"}
    return [f"{stems[name]}.*{suffix}" for name in libraries for suffix in ("so", "pyd")]
