"""Failures provoked on purpose: the real library is run, and what it prints is kept.

`<area>/<slug>.toml` tells how to make a signature's failure happen; `recorded/` holds what was printed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Literal

import cattrs

from firstfault import analysis, catalogue
from firstfault.extraction import extract
from firstfault.model import Evidence
from firstfault.reading import Opened

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"
VERSIONS = RECORDED / "versions.json"
JOB, VENV, BASE, NODE = "/workspace/job", "/opt/venv", "/usr/local", "node-0"  # stand for this machine's own names
INDEX = r"https://py" r"pi\.org/"  # which some libraries advertise
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROBE = """
import importlib.metadata as m, json, platform, sys
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return None
print(json.dumps({"python": platform.python_version(), "prefix": sys.prefix, "base": sys.base_prefix,
                  "packages": {n: version(n) for n in sys.argv[1:]}}))
"""


@dataclass(frozen=True)
class State:
    """A state of the user's program in which a verify command runs, and a regex that what it prints must show."""

    prints: str
    files: Mapping[str, str] = field(default_factory=dict)
    setup: str = ""
    captures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VerifyStates:
    """The verify command of the signature with its captures filled in, in both states."""

    broken: State
    fixed: State
    captures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """How one failure is made to happen.

    `script` is the user's train.py, `files` what lies beside it, `run` the shell command. `needs`: packages beyond the
    standard library; `programs`: of the system. `pythons`: further CPython versions to record, as in `3.13`;
    `oldest`: the first version that has the failure.
    `expects`: Firstfault must name the signature as the `cause`, or as a `finding` where its text is another's
    consequence or a mere warning. No `run`: only the verify states are of interest.
    """

    id: str = ""
    needs: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    pythons: tuple[str, ...] = ()
    script: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    run: str = "python train.py"
    seconds: int = 240
    oldest: str = ""
    expects: Literal["cause", "finding"] = "cause"
    verify_states: VerifyStates | None = None


@dataclass(frozen=True)
class Interpreter:
    """A Python that runs cases, and the versions of what it holds."""

    path: Path
    version: str
    prefix: str
    base: str
    packages: Mapping[str, str | None]


@dataclass(frozen=True)
class Output:
    """What a command printed, and how it ended; `code` is None when it ran past its time."""

    text: str
    code: int | None


def cases() -> Iterator[Case]:
    """Yield every case, in the order of ids."""
    for path in sorted(HERE.glob("*/*.toml")):
        identifier = path.relative_to(HERE).with_suffix("").as_posix()
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        converter = cattrs.Converter(forbid_extra_keys=True)
        yield replace(converter.structure(raw, Case), id=identifier)


@cache
def interpreter(path: Path) -> Interpreter:
    """Ask a Python for its version and for those of the packages that cases need."""
    names = sorted({name for case in cases() for name in case.needs})
    command = [str(path), "-c", PROBE, *names]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return Interpreter(path, said["python"], said["prefix"], said["base"], said["packages"])


def lacks(case: Case, python: Interpreter) -> list[str]:
    """Return what a case needs and this machine does not have."""
    packages = [name for name in case.needs if python.packages.get(name) is None]
    if case.oldest and _numbers(python.version) < _numbers(case.oldest):
        packages.append(f"Python {case.oldest}")
    return packages + [name for name in case.programs if shutil.which(name, path=SYSTEM_PATH) is None]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:2]]


def provoke(case: Case, python: Interpreter) -> Output:
    """Run a case and return what it printed, with this machine's own names replaced."""
    with tempfile.TemporaryDirectory(prefix="provoke-") as name:
        folder = Path(name).resolve()
        return run(case.run, folder, python, {"train.py": case.script, **case.files}, case.env, case.seconds)


def run(
    command: str, folder: Path, python: Interpreter, files: Mapping[str, str], env: Mapping[str, str], seconds: int
) -> Output:
    """Run a shell command in a folder with these files; it and its children are ended when their time is over."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text.lstrip("\n"), encoding="utf-8")
    folder.chmod(0o777)  # some cases give up root's rights
    with tempfile.TemporaryFile() as out, tempfile.TemporaryDirectory(prefix="provoke-bin-") as bin_name:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=environment(folder, _programs(Path(bin_name), python), env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code = _wait(process, seconds)
        out.seek(0)
        return Output(clean(out.read().decode("utf-8", "replace"), folder, python, bin_name), code)


def environment(folder: Path, programs: Path, env: Mapping[str, str]) -> dict[str, str]:
    """Return a small environment, so that nothing of the caller's decides what a case prints."""
    terminal = {"LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "120", "PYTHONDONTWRITEBYTECODE": "1"}
    return {"PATH": f"{programs}:{SYSTEM_PATH}", "HOME": str(folder), "USER": "user", **terminal, **env}


def _programs(folder: Path, python: Interpreter) -> Path:
    """Make `python`, `python3` and `torchrun` mean the given Python."""
    for name, module in (("python", ""), ("python3", ""), ("torchrun", "-m torch.distributed.run ")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{python.path}" {module}"$@"\n')
        program.chmod(0o755)
    folder.chmod(0o755)
    return folder


def _wait(process: subprocess.Popen[bytes], seconds: int) -> int | None:
    try:
        code: int | None = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        code = None
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return code
    process.wait()
    return code


def clean(text: str, folder: Path, python: Interpreter, programs: str) -> str:
    """Replace this machine's paths and name."""
    names = {f"{programs}/": f"{VENV}/bin/", str(folder): JOB, python.prefix: VENV, python.base: BASE}
    for own, neutral in sorted(names.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(own, neutral)
    text = re.sub(INDEX, "https://package-index.example/", text)
    return re.sub(rf"\b{re.escape(socket.gethostname())}\b", NODE, text)


def shape(text: str) -> list[str]:
    """Return what two runs of one case have in common: the last lines, without numbers and addresses."""
    return [masked(line) for line in text.splitlines() if line.strip()][-1:]


def recording(case: Case, version: str = "") -> Path:
    """Return where the output of a case is kept; `version` of a further Python."""
    return RECORDED / f"{case.id}{f'@{version}' if version else ''}.log"


def fault_of(case: Case, text: str, code: int | None) -> str:
    """Return what is wrong with what Firstfault says of an output, or nothing."""
    if case.expects == "finding":
        return "" if own_texts(case, text) else "its text is not found"
    answer = analysis.diagnose(analysis.Request(text=text, exit_code=code), catalogue.builtin())
    named = answer.cause.id if answer.cause else None
    return "" if named == case.id else f"named {named}"


def own_texts(case: Case, text: str) -> list[str]:
    """Return the texts of an output that the case's signature recognises."""
    evidence = extract([Opened(None, "text", text)], catalogue.builtin())
    return list(dict.fromkeys(_own_texts(case.id, evidence)))


def _own_texts(identifier: str, evidence: Evidence) -> Iterator[str]:
    for message in evidence.messages:
        if message.finding.signature == identifier and message.finding.signal is None:
            yield message.text
    for traceback in evidence.tracebacks:
        if identifier in {f.signature for f in (traceback.finding, *traceback.mentions) if f and f.signal is None}:
            yield from (raised.text for raised in traceback.chain)


def masked(text: str) -> str:
    """Return a text without what differs from run to run."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", text).strip()
