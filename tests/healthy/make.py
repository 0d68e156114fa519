"""Run healthy trainings and keep what they print, compressed.

    .venv/bin/python tests/healthy/make.py --python VENV/bin/python [-k TEXT]

Runs that end with another exit code than 0 are reported and not kept: only a log of a success may be here.
"""

from __future__ import annotations

import argparse
import lzma
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "provoke"))

import laboratory  # noqa: E402 - its folder is not installed

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SECONDS = 900


def main() -> int:
    """Run what is asked for and return how many runs did not end well."""
    options = argparse.ArgumentParser(description="Run healthy trainings and keep what they print.")
    options.add_argument("--python", type=Path, default=Path(sys.executable), help="the Python that has the libraries")
    options.add_argument("-k", default="", metavar="TEXT", help="only runs whose name contains it")
    chosen = options.parse_args()
    runs = tomllib.loads((HERE / "runs.toml").read_text(encoding="utf-8"))["runs"]
    return sum(not kept(name, command, chosen.python) for name, command in runs.items() if chosen.k in name)


def kept(name: str, command: str, python: Path) -> bool:
    """Run one training; keep its output and say so when it ended well."""
    programs = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "programs").glob("*.py")}
    with tempfile.TemporaryDirectory(prefix="healthy-") as folder:
        output = laboratory.run(command, Path(folder), laboratory.interpreter(python), programs, {}, SECONDS)
    print(f"{name}: exit code {output.code}, {len(output.text)} characters", flush=True)
    if output.code != 0:
        print(output.text[-1500:])
        return False
    (HERE / f"{name}.log.xz").write_bytes(lzma.compress(output.text.encode(), preset=9))
    return True


if __name__ == "__main__":
    sys.exit(main())
