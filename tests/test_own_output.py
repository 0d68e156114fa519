"""The command that gets each rank's output, for the launcher at hand."""

import pytest

from firstfault import own_output

ASKED = "torchrun --log-dir logs --redirects 3 ...   # then read logs"


@pytest.mark.parametrize(
    ("launcher", "framework", "beginning"),
    [
        (None, None, "torchrun"),
        ("torchrun", "lightning", "torchrun"),
        ("ray", None, "ls /tmp/ray"),
        (None, "ray", "ls /tmp/ray"),
        ("deepspeed", "deepspeed", "deepspeed --enable_each_rank_log"),
        ("srun", "lightning", "srun --label"),
        ("mpirun", None, "mpirun --tag-output"),
    ],
)
def test_nobody_is_told_of_another_launcher(launcher: str | None, framework: str | None, beginning: str) -> None:
    assert own_output.command(launcher, framework).startswith(beginning)
    assert own_output.fitting(ASKED, launcher, framework).startswith(beginning)
    assert own_output.fitting("dmesg -T", launcher, framework) == "dmesg -T"
