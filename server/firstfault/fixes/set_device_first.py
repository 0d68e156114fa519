"""Choose each rank's GPU before the process group is made, so that no two ranks meet on the first one.

Untouched: a file that chooses a device anywhere, and backends other than NCCL.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls, _local_rank
from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import before, called, parsed, tree_of
from firstfault.fixes._walk import walk

TITLE = "Choose the rank's own GPU before init_process_group (torch.cuda.set_device)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the launcher sets LOCAL_RANK and every rank sees all GPUs of its node."

_CHOOSES = frozenset({"set_device", "set_default_device"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Choose the device on the line before the group is made."""
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    if any(called(n) in _CHOOSES or _sees_one(n) for n in walk(module)):
        return module
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in calls(module, names, INIT):
        statement = tree.line(call)
        if statement is None or not uses_nccl(call) or _calls.argument(call, "device_id") is not None:
            continue
        rank = _local_rank.before(tree, statement) or _local_rank.from_environment(refer)
        new = parsed(module, f"{refer.to('torch.cuda')}.set_device({rank})")
        changed[statement] = before(statement, new)
    return refer.finish(at_line(module, changed, line)) if changed else module


def uses_nccl(call: cst.Call) -> bool:
    """Tell whether a call makes a group that speaks NCCL, and nothing else."""
    backend = _calls.argument(call, "backend", 0)
    return (
        backend is not None and isinstance(backend.value, cst.SimpleString) and backend.value.evaluated_value == "nccl"
    )


def _sees_one(node: cst.CSTNode) -> bool:
    """Tell whether the file limits what a rank sees, which numbers the GPUs anew."""
    return isinstance(node, cst.SimpleString) and node.evaluated_value == "CUDA_VISIBLE_DEVICES"
