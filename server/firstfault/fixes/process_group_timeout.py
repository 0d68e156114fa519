"""Let collectives wait longer than one rank's long work takes.

Untouched: a timeout that is computed, and one of an hour or more.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._torch import DDP_STRATEGIES, HF_ARGUMENTS, INIT, calls

TITLE = "Let collectives wait for up to an hour (timeout)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the slow rank is known to be working; a rank that hangs is noticed later than before."

_SECONDS = {"days": 86_400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0, "milliseconds": 0.001}
_HOUR = 3600
_DELTA = "datetime.timedelta"


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Set or raise the timeout where groups are made."""
    names, known, refer = names_of(module), _calls.constants(module), Refer(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for call in calls(
        module,
        names,
        INIT | DDP_STRATEGIES | {"accelerate.InitProcessGroupKwargs", "accelerate.utils.InitProcessGroupKwargs"},
    ):
        given = _calls.argument(call, "timeout")
        hidden = given is None and _calls.has(call, "timeout", module, known) is not False
        positional = len([arg for arg in call.args if arg.keyword is None]) > 2
        if not hidden and not positional and (given is None or _is_short(given.value, names, known)):
            hour = cst.parse_expression(f"{refer.to(_DELTA)}(hours=1)")
            changed[call] = _calls.with_keyword(call, "timeout", hour)
    for call in calls(module, names, HF_ARGUMENTS):
        given = _calls.argument(call, "ddp_timeout")
        short = given is not None and isinstance(given.value, cst.Integer) and given.value.evaluated_value < _HOUR
        if short or _calls.has(call, "ddp_timeout", module, known) is False:
            changed[call] = _calls.with_keyword(call, "ddp_timeout", cst.Integer(str(_HOUR)))
    return refer.finish(at_line(module, changed, line)) if changed else module


def _is_short(node: cst.BaseExpression, names: Names, known: dict[str, cst.BaseExpression]) -> bool:
    """Tell whether a timedelta written in numbers is below an hour."""
    if isinstance(node, cst.Name) and node.value in known:
        node = known[node.value]
    if not isinstance(node, cst.Call) or names.dotted(node.func) != _DELTA or not node.args:
        return False
    total = 0.0
    for arg in node.args:
        if arg.keyword is None or not isinstance(arg.value, (cst.Integer, cst.Float)):
            return False
        total += _SECONDS.get(arg.keyword.value, 1e9) * arg.value.evaluated_value
    return total < _HOUR
