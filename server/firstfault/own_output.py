"""How to get each rank's own output, by the launcher that ran the job: what a missing fact asks for most often."""

from __future__ import annotations

TORCHRUN = "torchrun --log-dir"
COMMANDS = {
    "ray": "ls /tmp/ray/session_latest/logs/worker-*   # on every node; then diagnose that folder",
    "deepspeed": "deepspeed --enable_each_rank_log logs ...   # then diagnose the folder logs of every node",
    "srun": "srun --label --output=rank-%t.log ...   # one file per rank; then diagnose them all",
    "slurm": "srun --label --output=rank-%t.log ...   # one file per rank; then diagnose them all",
    "mpirun": "mpirun --tag-output --output-filename logs ...   # one file per rank; then diagnose the folder",
    "horovod": "horovodrun --output-filename logs ...   # one file per rank; then diagnose the folder",
    "kubernetes": "kubectl logs POD --all-containers --prefix   # of every pod; then diagnose them all",
}
DEFAULT = "torchrun --log-dir logs --redirects 3 --tee 3 ...   # on every node; then diagnose the whole folder"


def command(launcher: str | None, framework: str | None) -> str:
    """Return the command that gives every rank's own output in a job of that kind."""
    return COMMANDS.get(launcher or framework or "", DEFAULT)


def fitting(asked: str, launcher: str | None, framework: str | None) -> str:
    """Return a command that somebody with that launcher can use in place of torchrun's."""
    other = command(launcher, framework)
    return other if asked.startswith(TORCHRUN) and other is not DEFAULT else asked
