"""Compose files and Kubernetes manifests: shared memory and variables of the containers that train."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from firstfault.launch_files._nodes import (
    documents,
    elements,
    first_column,
    get,
    insert,
    is_block,
    items,
    scalar,
)

_TRAINS = re.compile(r"torch|python|accelerate|deepspeed|nvidia|\bgpus?\b", re.I)


def compose_shared_memory(text: str, size: str) -> str:
    """Add `shm_size` to the services that train and have none."""
    for service in reversed(_services(text)):
        if get(service, "shm_size") is None and get(service, "ipc") is None and is_block(service):
            line, column = first_column(service)
            text = insert(text, line, f"{' ' * column}shm_size: {size}")
    return text


def compose_variable(text: str, name: str, value: str) -> str:
    """Set a variable in the services that train."""
    for service in reversed(_services(text)):
        given = get(service, "environment")
        if given is None and is_block(service):
            line, column = first_column(service)
            step = column // 2 or 2
            text = insert(text, line, f"{' ' * column}environment:", f"{' ' * (column + step)}{name}: {_quoted(value)}")
        elif isinstance(given, MappingNode) and is_block(given) and get(given, name) is None:
            line, column = first_column(given)
            text = insert(text, line, f"{' ' * column}{name}: {_quoted(value)}")
        elif isinstance(given, SequenceNode) and is_block(given) and not _has(given, name):
            line, column = first_column(given)
            text = insert(text, line, f"{' ' * column}- {name}={value}")
    return text


def _has(environment: Node, name: str) -> bool:
    """Tell whether a list of `NAME=value` sets a variable."""
    return any(scalar(element).partition("=")[0] == name for element in elements(environment))


def _services(text: str) -> list[Node]:
    """Return the services that train, in the order of the text; the only one of a file is meant in any case."""
    found = documents(text)
    every = [value for _, value in items(get(found[0], "services"))] if len(found) == 1 else []
    if len(every) == 1:
        return every
    lines = text.splitlines()
    return [s for s in every if _TRAINS.search("\n".join(lines[s.start_mark.line : s.end_mark.line]))]


def kubernetes_shared_memory(text: str) -> str:
    """Mount memory at /dev/shm in the containers of the pods that have none there."""
    if "/dev/shm" in text:
        return text
    pods = [pod for document in documents(text) for pod in _pods(document) if is_block(pod)]
    if len(pods) != 1:
        return text
    pod = pods[0]
    additions: list[tuple[int, list[str]]] = []
    volumes = get(pod, "volumes")
    entry = ["- name: dshm", "  emptyDir:", "    medium: Memory"]
    line, column = first_column(pod)
    if volumes is None:
        additions.append((line, [f"{' ' * column}volumes:", *(f"{' ' * (column + 2)}{row}" for row in entry)]))
    elif is_block(volumes):
        at, indent = first_column(volumes)
        additions.append((at, [f"{' ' * indent}{row}" for row in entry]))
    else:
        return text
    for container in elements(get(pod, "containers")):
        added = _mounted(container)
        if added is None:
            return text
        additions.append(added)
    for at, rows in sorted(additions, reverse=True):
        text = insert(text, at, *rows)
    return text


def _mounted(container: Node) -> tuple[int, list[str]] | None:
    """Return the lines that mount the memory in a container, and where they go."""
    entry = ["- name: dshm", "  mountPath: /dev/shm"]
    mounts = get(container, "volumeMounts")
    if mounts is not None:
        if not is_block(mounts):
            return None
        line, column = first_column(mounts)
        return line, [f"{' ' * column}{row}" for row in entry]
    return _second_entry(container, ["volumeMounts:", *(f"  {row}" for row in entry)])


def _second_entry(container: Node, rows: list[str]) -> tuple[int, list[str]] | None:
    """Return lines for below a list element's first entry, whose line begins with the dash."""
    entries = list(items(container))
    if not is_block(container) or len(entries) < 2 or entries[1][0].start_mark.line <= entries[0][0].start_mark.line:
        return None
    second = entries[1][0].start_mark
    return second.line, [f"{' ' * second.column}{row}" for row in rows]


def kubernetes_variable(text: str, name: str, value: str) -> str:
    """Set a variable in every container of the pods."""
    containers = [
        c for document in documents(text) for pod in _pods(document) for c in elements(get(pod, "containers"))
    ]
    for container in reversed(containers):
        entry = [f"- name: {name}", f'  value: "{value}"']
        given = get(container, "env")
        if isinstance(given, SequenceNode) and is_block(given):
            if any(scalar(get(e, "name")) == name for e in elements(given)):
                continue
            line, column = first_column(given)
            text = insert(text, line, *(f"{' ' * column}{row}" for row in entry))
        elif given is None:
            added = _second_entry(container, ["env:", *(f"  {row}" for row in entry)])
            if added is not None:
                text = insert(text, added[0], *added[1])
    return text


def _pods(node: Node) -> Iterator[Node]:
    """Yield the mappings that hold `containers`, wherever an operator's own kind puts them."""
    if isinstance(node, MappingNode):
        if isinstance(get(node, "containers"), SequenceNode):
            yield node
        for _, value in node.value:
            yield from _pods(value)
    elif isinstance(node, SequenceNode):
        for value in node.value:
            yield from _pods(value)


def _quoted(value: str) -> str:
    return f'"{value}"'
