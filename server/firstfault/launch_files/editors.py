"""VS Code's `launch.json` and `tasks.json`: variables of the configurations that train; JSON with comments."""

from __future__ import annotations

import re

from ruamel.yaml.nodes import MappingNode, Node

from firstfault.launch_files._nodes import elements, get, insert, json_document, scalar

_TRAINS = re.compile(r"torchrun|python|accelerate|deepspeed|srun|mpirun")
_PYTHON = frozenset({"debugpy", "python"})


def launch_variable(text: str, name: str, value: str) -> str:
    """Set a variable in the Python configurations."""
    root = json_document(text)
    found = [c for c in elements(get(root, "configurations")) if scalar(get(c, "type")) in _PYTHON]
    for configuration in reversed(found):
        text = _set(text, configuration, name, value)
    return text


def task_variable(text: str, name: str, value: str) -> str:
    """Set a variable in the tasks whose command trains."""
    root = json_document(text)
    for task in reversed([t for t in elements(get(root, "tasks")) if _TRAINS.search(scalar(get(t, "command")))]):
        options = get(task, "options")
        if options is None:
            rows = [f'"options": {{ "env": {{ "{name}": "{value}" }} }},']
            text = _first(text, task, rows)
        elif isinstance(options, MappingNode):
            text = _set(text, options, name, value)
    return text


def _set(text: str, owner: Node, name: str, value: str) -> str:
    """Set a variable in an object's `env`, which is made where it is missing."""
    env = get(owner, "env")
    if env is None:
        return _first(text, owner, [f'"env": {{ "{name}": "{value}" }},'])
    if not isinstance(env, MappingNode) or get(env, name) is not None:
        return text
    if not env.value:
        line, column = env.start_mark.line, env.start_mark.column
        return _spliced(text, line, column + 1, f' "{name}": "{value}" ', env.end_mark.line == line)
    first = env.value[0][0].start_mark
    if first.line == env.start_mark.line:
        return _spliced(text, first.line, first.column, f'"{name}": "{value}", ', True)
    return _first(text, env, [f'"{name}": "{value}",'])


def _first(text: str, owner: Node, rows: list[str]) -> str:
    """Put lines above an object's first entry, where that has a line of its own."""
    if not isinstance(owner, MappingNode) or not owner.value:
        return text
    first = owner.value[0][0].start_mark
    line = text.splitlines()[first.line]
    if line[: first.column].strip():
        return _spliced(text, first.line, first.column, " ".join(rows) + " ", True)
    return insert(text, first.line, *(line[: first.column] + row for row in rows))


def _spliced(text: str, line: int, column: int, new: str, sure: bool) -> str:
    """Put text into a line."""
    lines = text.splitlines(keepends=True)
    if sure:
        lines[line] = lines[line][:column] + new + lines[line][column:]
    return "".join(lines)
