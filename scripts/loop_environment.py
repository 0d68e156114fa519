"""Make `.venv-loop`, in which the projects of tests/loop run: torch for CPUs and what is built on it, pinned."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / ".venv-loop"
PINNED = ROOT / "tests" / "loop" / "requirements.txt"


def main() -> int:
    """Install into a fresh folder; leave none behind when that fails."""
    program = TARGET / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    venv.EnvBuilder(with_pip=True, clear=True).create(TARGET)
    pip = [str(program), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "-r", str(PINNED)], check=False)
    if done.returncode:
        program.unlink()
        print(f"{TARGET.name} could not be made: pip said why above; run this script again.", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
