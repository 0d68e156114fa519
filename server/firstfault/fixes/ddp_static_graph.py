"""Tell DDP that every step uses the same parameters in the same way, so that one may be used twice in a step.

Untouched: a wrapper whose `static_graph` is computed.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._torch import DDP, DDP_STRATEGIES, calls

TITLE = "Tell DDP that the graph stays the same in every step (static_graph=True)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the set of parameters that a step uses, and how often it uses them, never changes."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the flag where models are wrapped."""
    names, known = names_of(module), _calls.constants(module)
    found = {c: _calls.switch(c, "static_graph", module, known) for c in calls(module, names, DDP | DDP_STRATEGIES)}
    return at_line(module, {node: new for node, new in found.items() if new is not None}, line)
