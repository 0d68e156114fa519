"""Load a checkpoint's tensors on the CPU, whichever GPU they were saved on.

Untouched: loads that say where to, and files that import no torch.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._style import quoted
from firstfault.fixes._torch import calls

TITLE = 'Load the checkpoint on the CPU (map_location="cpu")'
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe where load_state_dict takes the result, which copies; a whole model needs .to(device) afterwards."
)

LOADS = frozenset({"torch.load", "torch.jit.load"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the argument to the loads at the line, or to all."""
    names, known = names_of(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for call in calls(module, names, LOADS):
        if not call.args or _calls.argument(call, "map_location", 1) or any(arg.star == "*" for arg in call.args):
            continue
        if _calls.has(call, "map_location", module, known) is False:
            changed[call] = _calls.add_keyword(call, "map_location", quoted(module, "cpu"))
    return at_line(module, changed, line)
