"""Use the non-reentrant form of activation checkpointing, which works with DDP and with inputs without gradient.

`torch.utils.checkpoint.checkpoint` and `checkpoint_sequential` get `use_reentrant=False`; Hugging Face's models and
arguments get it in `gradient_checkpointing_kwargs`. Untouched: a value that is computed.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._style import quoted
from firstfault.fixes._torch import HF_ARGUMENTS, calls
from firstfault.fixes._tree import called
from firstfault.fixes._walk import walk

TITLE = "Checkpoint activations without reentrant autograd (use_reentrant=False)"
SAFETY = "safe"
SAFE_WHEN = "It is safe with torch 1.11 and newer, where both forms compute the same gradients."

_CHECKPOINTS = frozenset(f"torch.utils.checkpoint.{name}" for name in ("checkpoint", "checkpoint_sequential"))
_KWARGS = "gradient_checkpointing_kwargs"


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Choose the form at every place that names a checkpoint."""
    names, known = names_of(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call | None] = {}
    for call in calls(module, names, _CHECKPOINTS):
        changed[call] = _calls.switch(call, "use_reentrant", module, known, "False")
    for node in walk(module):
        if isinstance(node, cst.Call) and called(node) == "gradient_checkpointing_enable" and not node.args:
            changed[node] = _calls.add_keyword(node, _KWARGS, _setting(module))
    for call in calls(module, names, HF_ARGUMENTS):
        switched_on = _calls.argument(call, "gradient_checkpointing")
        if switched_on and _calls.is_name(switched_on.value, "True"):
            hidden = _calls.has(call, _KWARGS, module, known) is not False
            changed[call] = None if hidden else _calls.add_keyword(call, _KWARGS, _setting(module))
    return at_line(module, {node: new for node, new in changed.items() if new is not None}, line)


def _setting(module: cst.Module) -> cst.BaseExpression:
    return cst.parse_expression(f"{{{quoted(module, 'use_reentrant').value}: False}}")
