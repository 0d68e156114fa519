"""The facts of a machine, read from a made-up system tree."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from firstfault import environment

UNLIMITED_V1 = "9223372036854771712\n"


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    ("system", "version", "method"),
    [
        ("Linux", (3, 10), "fork"),
        ("Linux", (3, 13), "fork"),
        ("Linux", (3, 14), "forkserver"),
        ("FreeBSD", (3, 14), "forkserver"),
        ("Darwin", (3, 7), "fork"),
        ("Darwin", (3, 10), "spawn"),
        ("Darwin", (3, 14), "spawn"),
        ("Windows", (3, 14), "spawn"),
    ],
)
def test_default_start_method(system: str, version: tuple[int, int], method: str) -> None:
    assert environment.default_start_method(system, version) == method


def test_default_start_method_is_the_one_of_this_python() -> None:
    code = "import multiprocessing; print(multiprocessing.get_start_method())"
    real = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert environment.read().start_method == real


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "8589934592\n"}, 8 << 30),
        (
            {
                "proc/self/cgroup": "0::/user.slice/job\n",
                "sys/fs/cgroup/user.slice/memory.max": "4096\n",
                "sys/fs/cgroup/user.slice/job/memory.max": "8192\n",
            },
            4096,
        ),
        ({"proc/self/cgroup": "0::/../../pod\n", "sys/fs/cgroup/memory.max": "4096\n"}, 4096),
        (
            {
                "proc/self/cgroup": "5:cpu:/docker/1f2e\n4:hugetlb,memory:/docker/1f2e\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "4096\n",
                "sys/fs/cgroup/cpu/memory.limit_in_bytes": "1\n",
            },
            4096,
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/slurm/job_7\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED_V1,
                "sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes": "8192\n",
            },
            8192,
        ),
    ],
    ids=["none", "v2-max", "v2", "v2-parent", "v2-outside", "v1-container", "v1"],
)
def test_cgroup_memory_limit(tmp_path: Path, files: dict[str, str], limit: int | None) -> None:
    for path, text in files.items():
        write(tmp_path, path, text)
    assert environment.cgroup_memory_limit(tmp_path) == limit


def test_gpus_from_the_driver(tmp_path: Path) -> None:
    write(tmp_path, "proc/driver/nvidia/gpus/0000:01:00.0/information", "")
    write(tmp_path, "proc/driver/nvidia/gpus/0000:02:00.0/information", "")
    assert environment.gpu_count(tmp_path) == 2


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'; echo 'GPU 1: NVIDIA H200 (UUID: GPU-2)'", 2),
        ("echo 'NVIDIA-SMI has failed' ; exit 9", None),
        ("exec sleep 20", None),
    ],
    ids=["two", "failed", "hangs"],
)
def test_gpus_from_nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, count: int | None) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(environment, "GPU_TIMEOUT", 0.5)
    assert environment.gpu_count(tmp_path) == count


def test_no_driver_is_not_zero_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.gpu_count(tmp_path) is None


def test_an_empty_system_has_no_unknown_facts(tmp_path: Path) -> None:
    here = environment.read(tmp_path, tmp_path / "gone")
    assert (here.shared_memory, here.disk, here.memory_limit) == (None, None, None)
    assert not any("None" in fact for fact in here.facts().values())


def test_facts_are_sentences() -> None:
    here = environment.Environment(
        system="Linux",
        python="3.14.1",
        start_method="forkserver",
        packages={"torch": "2.9.0", "lightning": "2.5.5"},
        open_files=1024,
        shared_memory=environment.Space(64 << 20, 512),
        disk=environment.Space(2 << 40, 3 << 29),
        memory_limit=8 << 30,
        gpus=1,
    )
    assert list(here.facts().values()) == [
        "This machine runs Linux with Python 3.14.1, whose default start method is forkserver.",
        "Installed here: torch 2.9.0, lightning 2.5.5.",
        "A process may hold 1024 files open (ulimit -n).",
        "/dev/shm has 512 bytes free of 64.0 MiB.",
        "The disk of the working directory has 1.5 GiB free of 2.0 TiB.",
        "The control group allows 8.0 GiB of memory.",
        "The driver shows 1 GPU.",
    ]
    assert replace(here, gpus=8).facts()["gpus"] == "The driver shows 8 GPUs."


def test_torch_is_not_imported() -> None:
    code = "import sys; from firstfault import environment; environment.read(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
