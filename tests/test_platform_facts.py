"""What is known of the machine that ran a job, and what is made of it."""

from pathlib import Path

import pytest

from firstfault import analysis, environment
from firstfault.platform_facts import Platform

OOM = """Traceback (most recent call last):
  File "{job}/train.py", line 3, in <module>
    step()
  File "{site}/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 764.00 MiB. GPU 0 has a total capacity of 47.37 GiB of \
which 442.88 MiB is free. Including non-PyTorch memory, this process has 46.90 GiB memory in use. Of the allocated \
memory 42.40 GiB is allocated by PyTorch, and 3.24 GiB is reserved by PyTorch but unallocated.{hint}
"""


def machine(packages: dict[str, str]) -> environment.Environment:
    return environment.Environment("Linux", "3.11.7", "fork", packages, 1024, None, None, None, None)


@pytest.mark.parametrize(
    ("packages", "name"),
    [
        ({"torch": "2.9.0"}, "PYTORCH_ALLOC_CONF"),
        ({"torch": "2.13.0+cpu"}, "PYTORCH_ALLOC_CONF"),
        ({"torch": "2.8.1"}, "PYTORCH_CUDA_ALLOC_CONF"),
        ({}, "PYTORCH_CUDA_ALLOC_CONF"),
    ],
)
def test_the_allocators_variable_is_that_of_the_torch_that_ran(packages: dict[str, str], name: str) -> None:
    assert Platform(machine=machine(packages)).allocator() == name


def diagnosed(tmp_path: Path, version: str, hint: str = "") -> str:
    """Diagnose a run of this machine, whose environment holds that version of torch."""
    site = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    (site / f"torch-{version}.dist-info").mkdir(parents=True)
    (site / f"torch-{version}.dist-info" / "METADATA").write_text(f"Name: torch\nVersion: {version}\n")
    (tmp_path / "train.py").write_text("\n\nstep()\n")
    answer = analysis.diagnose(analysis.Request(text=OOM.format(job=tmp_path, site=site, hint=hint)))
    assert answer.fix
    assert f"This machine ran it. Installed here: torch {version}." in answer.reasoning
    return answer.fix.steps[0]


def test_the_fix_uses_what_is_installed_where_the_job_ran(tmp_path: Path) -> None:
    assert "`PYTORCH_ALLOC_CONF=expandable_segments:True`" in diagnosed(tmp_path, "2.10.0")


def test_an_older_torch_gets_the_older_name(tmp_path: Path) -> None:
    assert "`PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`" in diagnosed(tmp_path, "2.4.1")


def test_the_log_itself_knows_best(tmp_path: Path) -> None:
    hint = " If reserved but unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True."
    assert "`PYTORCH_ALLOC_CONF=expandable_segments:True`" in diagnosed(tmp_path, "2.4.1", hint)


def test_a_machine_that_did_not_run_the_job_says_nothing() -> None:
    answer = analysis.diagnose(analysis.Request(text=OOM.format(job="/gone", site="/gone/site-packages", hint="")))
    assert not any("This machine" in reason for reason in answer.reasoning)
