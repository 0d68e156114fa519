"""Bind the process group to the rank's GPU, so that NCCL need not guess it and starts its communicator at once.

Untouched: backends other than NCCL, and groups that are bound already.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls, _local_rank
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import INIT, calls
from firstfault.fixes._tree import tree_of
from firstfault.fixes.set_device_first import uses_nccl

TITLE = "Bind the process group to the rank's GPU (device_id)"
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe with torch 2.3 and newer, when the launcher sets LOCAL_RANK and all GPUs are visible to each rank."
)


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add `device_id` where the group is made."""
    names, tree, refer, known = names_of(module), tree_of(module), Refer(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for call in calls(module, names, INIT):
        statement = tree.statement(call)
        if statement is None or not uses_nccl(call) or _calls.has(call, "device_id", module, known) is not False:
            continue
        rank = _local_rank.before(tree, statement) or _local_rank.from_environment(refer)
        device = cst.parse_expression(f'{refer.to("torch.device")}("cuda", {rank})')
        changed[call] = _calls.add_keyword(call, "device_id", device)
    return refer.finish(at_line(module, changed, line)) if changed else module
