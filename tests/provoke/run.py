"""Make failures happen by the real libraries, and check that Firstfault names each.

    .venv/bin/python tests/provoke/run.py --python VENV/bin/python [--pythons FOLDER] [--update] [-k TEXT]

VENV holds torch (CPU), lightning, accelerate, transformers, deepspeed and ray; FOLDER holds `3.X.Y/bin/python` of
further CPython versions, as pyenv lays them out. `--update` writes `recorded/`; without it the output is compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import laboratory
from laboratory import Case, Interpreter, Output

from firstfault import catalogue

ONE = Lock()  # cases run side by side


def main() -> int:
    """Run what is asked for and return how many cases are not in order."""
    options = parser().parse_args()
    first = laboratory.interpreter(options.python)
    jobs = [
        job
        for case in laboratory.cases()
        if case.run and options.k in case.id
        for job in planned(case, first, options)
        if not (options.new and laboratory.recording(case, job[2]).exists())
    ]
    catalogue.builtin()
    with ThreadPoolExecutor(options.j) as pool:
        results = list(pool.map(lambda job: show(*job, update=options.update), jobs))
    print(f"{results.count(True)} of {len(results)} as they should be")
    return min(results.count(False), 100)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    options = argparse.ArgumentParser(description="Make failures happen and check that Firstfault names them.")
    options.add_argument("--python", type=Path, default=Path(sys.executable), help="the Python that has the libraries")
    options.add_argument("--pythons", type=Path, help="a folder of further CPython versions")
    options.add_argument("--update", action="store_true", help="write what is printed to recorded/")
    options.add_argument("--new", action="store_true", help="only what is not recorded yet")
    options.add_argument("-k", default="", metavar="TEXT", help="only cases whose id contains it")
    options.add_argument("-j", type=int, default=2, help="how many at once")
    return options


def planned(case: Case, first: Interpreter, options: argparse.Namespace) -> Iterator[tuple[Case, Interpreter, str]]:
    """Yield each run of a case: by the main Python, and by further ones that are there."""
    missing = laboratory.lacks(case, first)
    if missing:
        print(f"left out {case.id}: no {', '.join(missing)}")
    else:
        yield case, first, ""
    for version in case.pythons if options.pythons else ():
        for path in sorted(options.pythons.glob(f"{version}.*/bin/python")):
            yield case, laboratory.interpreter(path), version


def show(case: Case, python: Interpreter, version: str, *, update: bool) -> bool:
    """Run one case; say, and return, whether the outcome is as it should be."""
    output = laboratory.provoke(case, python)
    fault = laboratory.fault_of(case, output.text, output.code)
    target = laboratory.recording(case, version)
    if update and not fault:
        keep(case, python, version, output)
    elif not fault and not target.exists():
        fault = "nothing is recorded; add --update"
    elif not fault and laboratory.shape(target.read_text(encoding="utf-8")) != laboratory.shape(output.text):
        fault = f"ends differently from what is recorded: {laboratory.shape(output.text)}"
    name = f"{case.id}{f'@{version}' if version else ''}"
    print(f"{'ok  ' if not fault else 'FAIL'} {name}{f': {fault}' if fault else ''}", flush=True)
    if fault:
        print("\n".join(f"     | {line[:220]}" for line in output.text.splitlines()[-12:]), flush=True)
    return not fault


def keep(case: Case, python: Interpreter, version: str, output: Output) -> None:
    """Write an output to `recorded/`, and what made it to the list of versions."""
    target = laboratory.recording(case, version)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(output.text, encoding="utf-8")
    made = {"python": python.version, "code": str(output.code)}
    key = target.relative_to(laboratory.RECORDED).as_posix().removesuffix(".log")
    with ONE:
        known = json.loads(laboratory.VERSIONS.read_text()) if laboratory.VERSIONS.exists() else {}
        known[key] = made | {name: str(python.packages[name]) for name in case.needs}
        laboratory.VERSIONS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    sys.exit(main())
