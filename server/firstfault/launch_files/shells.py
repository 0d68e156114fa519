"""Shell scripts, batch scripts and `.env` files: a variable, or a flag of the command that starts the run."""

from __future__ import annotations

import re

_LAUNCHER = re.compile(
    r"^(?P<indent>[ \t]*)(?:[A-Z_]+=\S+ +|exec +|nohup +|time +|srun +(?:-\S+ +)*)*"
    r"(?:\S*/)?(?:torchrun|accelerate +launch|deepspeed|mpirun|srun|python3?(?= ))\b"
)
_TORCHRUN = re.compile(r"^[^#\n]*?\b(?:torchrun|python3? -m torch\.distributed\.run)\b")
_FIXED_PLACE = re.compile(r"--standalone|--rdzv|--nnodes[ =](?!1\b)|--node[-_]rank|--master[-_]addr|srun|SLURM|<<")
_DOCKER = re.compile(r"^(?P<head>[^#\n'\"]*?\b(?:docker|podman) run)(?P<rest>\b.*)$")


def export(text: str, name: str, value: str) -> str:
    """Add `export NAME=value` above the first command that starts the run."""
    if re.search(rf"\b{name}=", text):
        return text
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        found = _LAUNCHER.match(line)
        if found and not _continues(lines, number) and not _in_document(lines, number):
            new = f"{found['indent']}export {name}={value}{_end(line)}"
            return "".join([*lines[:number], new, *lines[number:]])
    return text


def assign(text: str, name: str, value: str) -> str:
    """Add `NAME=value` at the end of an `.env` file."""
    if re.search(rf"^\s*(?:export\s+)?{name}\s*=", text, re.M):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    gap = end if text and not text.endswith(("\n", "\r")) else ""
    return f"{text}{gap}{name}={value}{end}"


def standalone(text: str) -> str:
    """Add `--standalone` to the torchrun that starts a run on one node."""
    lines = text.splitlines(keepends=True)
    at = [n for n, line in enumerate(lines) if _TORCHRUN.match(line)]
    if len(at) != 1 or _FIXED_PLACE.search(text):
        return text
    line = lines[at[0]]
    found = re.search(r"\btorchrun\b|\btorch\.distributed\.run\b", line)
    assert found is not None
    lines[at[0]] = f"{line[: found.end()]} --standalone{line[found.end() :]}"
    return "".join(line for line in lines)


def docker_flag(text: str, flag: str, known: tuple[str, ...]) -> str:
    """Add a flag to the one `docker run` that has none of the known flags."""
    lines = text.splitlines(keepends=True)
    at = [n for n, line in enumerate(lines) if _DOCKER.match(line.rstrip("\r\n"))]
    if len(at) != 1 or any(word in text for word in known) or _in_document(lines, at[0]):
        return text
    line = lines[at[0]]
    found = _DOCKER.match(line.rstrip("\r\n"))
    assert found is not None
    lines[at[0]] = f"{found['head']} {flag}{found['rest']}{_end(line)}"
    return "".join(lines)


def _continues(lines: list[str], number: int) -> bool:
    """Tell whether a line goes on with the one above."""
    return number > 0 and lines[number - 1].rstrip().endswith(("\\", "|", "&&", "||"))


def _in_document(lines: list[str], number: int) -> bool:
    """Tell whether a line may stand in a here-document, which is no command of this script."""
    return any("<<" in line for line in lines[:number])


def _end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n"
