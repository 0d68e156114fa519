"""Wait longer for a DataLoader's workers than they now take.

Untouched: a timeout that is computed, one of five minutes or more, and loaders that wait for ever.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._walk import walk

TITLE = "Wait up to ten minutes for a batch (timeout=600)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the workers are slow, not stuck: a stuck one is noticed later than before."

_SHORT = 300


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Raise the timeouts at the line, or all."""
    names, known = names_of(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for call in walk(module):
        if isinstance(call, cst.Call) and names.is_dataloader(call):
            given = _calls.argument(call, "timeout")
            value = given.value if given is not None else None
            if isinstance(value, cst.Name):
                value = known.get(value.value)
            if isinstance(value, (cst.Integer, cst.Float)) and 0 < value.evaluated_value < _SHORT:
                changed[call] = _calls.with_keyword(call, "timeout", cst.Integer("600"))
    return at_line(module, changed, line)
