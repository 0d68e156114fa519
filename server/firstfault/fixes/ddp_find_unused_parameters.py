"""Let DDP look for parameters that a step does not use, so that it does not wait for their gradients.

DistributedDataParallel and Lightning's DDPStrategy get `find_unused_parameters=True`, Lightning's `strategy="ddp"` its
longer name, Hugging Face's arguments and Accelerate's handlers their own form. Untouched: a value that is computed.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import quoted
from firstfault.fixes._torch import DDP, DDP_STRATEGIES, HF_ARGUMENTS, TRAINERS, calls

TITLE = "Let DDP look for unused parameters (find_unused_parameters=True)"
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe when the parameters are left out on purpose; it costs a walk over the graph in every step, and it "
    "hides a layer that was forgotten in forward."
)

_HANDLER = "accelerate.DistributedDataParallelKwargs"
_HANDLERS = frozenset({_HANDLER, "accelerate.utils.DistributedDataParallelKwargs"})
_SUFFIX = "_find_unused_parameters_true"


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Switch the search on, where models are wrapped."""
    names, known, refer = names_of(module), _calls.constants(module), Refer(module)
    changed: dict[cst.CSTNode, cst.Call | None] = {}
    for call in calls(module, names, DDP | DDP_STRATEGIES | _HANDLERS):
        changed[call] = _calls.switch(call, "find_unused_parameters", module, known)
    for call in calls(module, names, HF_ARGUMENTS):
        changed[call] = _calls.switch(call, "ddp_find_unused_parameters", module, known)
    for call in calls(module, names, TRAINERS):
        changed[call] = _trainer(module, call)
    if not any(names.dotted(c.func) in _HANDLERS for c in changed if isinstance(c, cst.Call)):
        for call in calls(module, names, frozenset({"accelerate.Accelerator"})):
            changed[call] = _accelerator(module, call, known, refer)
    real = {node: new for node, new in changed.items() if new is not None}
    return refer.finish(at_line(module, real, line)) if real else module


def _trainer(module: cst.Module, call: cst.Call) -> cst.Call | None:
    given = _calls.argument(call, "strategy")
    if given is None or not isinstance(given.value, cst.SimpleString):
        return None
    name = str(given.value.evaluated_value).removesuffix("_find_unused_parameters_false")
    if name not in {"ddp", "ddp_spawn", "ddp_fork", "ddp_notebook"}:
        return None
    return _calls.with_keyword(call, "strategy", quoted(module, name + _SUFFIX))


def _accelerator(
    module: cst.Module, call: cst.Call, known: dict[str, cst.BaseExpression], refer: Refer
) -> cst.Call | None:
    if _calls.has(call, "kwargs_handlers", module, known) is not False:
        return None
    handler = cst.parse_expression(
        f"[{refer.to(_HANDLER, 'accelerate.utils.DistributedDataParallelKwargs')}(find_unused_parameters=True)]"
    )
    return _calls.add_keyword(call, "kwargs_handlers", handler)
