"""Edits of the files that start a run: shell scripts, Compose, Kubernetes, VS Code, `.env`, accelerate, DeepSpeed.

In: a file's path and text. Out: the text with a setting added or changed, or the same text when unsure. Every edit adds
or changes whole lines where a parser says they belong, so comments, order and quotes stay; YAML and JSON are read again
afterwards, and an edit that did not arrive is given back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from firstfault.diagnosis import Safety
from firstfault.errors import FirstfaultError
from firstfault.launch_files import _nodes, configuration, containers, editors, shells

LARGEST = 200_000  # characters; a longer file is no launch file that a person wrote
_SHELLS = frozenset({".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".sub", ".job"})
_COMPOSE = re.compile(r"(docker-)?compose([.\w-]*)\.ya?ml")

Editing = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class LaunchFix:
    """An edit of launch files: per kind of file, how it is made."""

    id: str
    title: str
    safety: Safety
    safe_when: str
    edits: Mapping[str, Editing]


def _variable(name: str, value: str) -> Mapping[str, Editing]:
    """Return how each kind of file sets a variable of the environment."""
    return {
        "shell": lambda text: shells.export(text, name, value),
        "env": lambda text: shells.assign(text, name, value),
        "compose": lambda text: containers.compose_variable(text, name, value),
        "kubernetes": lambda text: containers.kubernetes_variable(text, name, value),
        "launch.json": lambda text: editors.launch_variable(text, name, value),
        "tasks.json": lambda text: editors.task_variable(text, name, value),
    }


FIXES = {
    fix.id: fix
    for fix in (
        LaunchFix(
            "shared-memory-size",
            "Give the container 16 GB of shared memory",
            "needs-a-look",
            "It is safe on a node with so much memory to spare; only what is written there is taken.",
            {
                "compose": lambda text: containers.compose_shared_memory(text, "16gb"),
                "kubernetes": containers.kubernetes_shared_memory,
                "shell": lambda text: shells.docker_flag(text, "--shm-size=16g", ("--shm-size", "--ipc")),
            },
        ),
        LaunchFix(
            "free-port",
            "Let the launcher choose a free port",
            "safe",
            "It is safe for runs on one node; only they are changed.",
            {"shell": shells.standalone, "accelerate": configuration.free_port},
        ),
        LaunchFix(
            "expandable-segments",
            "Let the allocator's segments grow (PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True)",
            "safe",
            "It is safe with torch 2.1 and newer on Linux, unless GPU memory is shared between processes.",
            _variable("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),
        ),
        LaunchFix(
            "tokenizers-parallelism",
            "Switch the tokenizers' threads off (TOKENIZERS_PARALLELISM=false)",
            "safe",
            "It is safe: DataLoader workers tokenise in parallel anyway.",
            _variable("TOKENIZERS_PARALLELISM", "false"),
        ),
        LaunchFix(
            "nvml-cuda-check",
            "Ask NVML whether there is a GPU (PYTORCH_NVML_BASED_CUDA_CHECK=1)",
            "safe",
            "It is safe with torch 1.13 and newer.",
            _variable("PYTORCH_NVML_BASED_CUDA_CHECK", "1"),
        ),
        LaunchFix(
            "flight-recorder",
            "Keep the flight recorder on (TORCH_NCCL_TRACE_BUFFER_SIZE=2000)",
            "safe",
            "It is safe: it costs a few megabytes and no time that one would notice.",
            _variable("TORCH_NCCL_TRACE_BUFFER_SIZE", "2000"),
        ),
        LaunchFix(
            "derived-batch-size",
            "Let DeepSpeed compute train_batch_size from the other two",
            "needs-a-look",
            "It is safe when the micro batch and the accumulation steps are the ones that you want.",
            {"deepspeed": configuration.derived_batch_size},
        ),
    )
}


def kind_of(path: Path, text: str) -> str | None:
    """Tell what kind of launch file this is; None for any other file."""
    if len(text) > LARGEST:
        return None
    name = path.name
    if name in {"launch.json", "tasks.json"} and path.parent.name == ".vscode":
        return name
    if name == ".env" or path.suffix == ".env":
        return "env"
    if path.suffix in _SHELLS:
        return "shell"
    if path.suffix == ".json":
        return "deepspeed" if '"train_micro_batch_size_per_gpu"' in text else None
    return _yaml_kind(name, text) if path.suffix in {".yaml", ".yml"} else None


def _yaml_kind(name: str, text: str) -> str | None:
    if _COMPOSE.fullmatch(name):
        return "compose"
    if re.search(r"^distributed_type:", text, re.M):
        return "accelerate"
    return "kubernetes" if re.search(r"^kind:", text, re.M) and "containers:" in text else None


def apply(fix_id: str, path: Path, text: str) -> str:
    """Return the text with the setting, the same text when the file has it, is of another kind, or is unclear."""
    fix = FIXES.get(fix_id)
    if fix is None:
        raise FirstfaultError(
            f"There is no fix named {fix_id!r} for launch files; they are: {', '.join(sorted(FIXES))}."
        )
    kind = kind_of(path, text)
    edit = fix.edits.get(kind) if kind else None
    if edit is None or ("\t" in text and kind in {"compose", "kubernetes", "accelerate"}):
        return text
    new = edit(text)
    return new if kind in {"shell", "env"} or _reads(path, new) else text


def _reads(path: Path, text: str) -> bool:
    """Tell whether an edited file is still YAML, or JSON with comments."""
    return bool(_nodes.json_document(text)) if path.suffix == ".json" else bool(_nodes.documents(text))
