"""Leave out the last, smaller batch of the training data.

Untouched: loaders for validation, loaders with a batch sampler, and a file whose training loader does not show.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._torch import HF_ARGUMENTS, calls
from firstfault.fixes._tree import Tree, tree_of
from firstfault.fixes._walk import walk

TITLE = "Leave out the last, smaller batch (drop_last=True)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe for training data with more than one batch; for evaluation it would leave samples out."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the flag to the training loaders."""
    names, known, tree = names_of(module), _calls.constants(module), tree_of(module)
    loaders = [n for n in walk(module) if isinstance(n, cst.Call) and names.is_dataloader(n)]
    training = [c for c in loaders if _trains(c, tree)] or (loaders if len(loaders) == 1 else [])
    changed = {call: _dropping(call, module, known) for call in training}
    changed |= {
        call: _calls.switch(call, "dataloader_drop_last", module, known) for call in calls(module, names, HF_ARGUMENTS)
    }
    return at_line(module, {node: new for node, new in changed.items() if new is not None}, line)


def _trains(call: cst.Call, tree: Tree) -> bool:
    """Tell whether a loader shuffles, or is named for training."""
    shuffle = _calls.loader_argument(call, "shuffle")
    if shuffle is not None and _calls.is_name(shuffle.value, "True"):
        return True
    assign, function = tree.parent(call), tree.function(call)
    named = [t.target for t in assign.targets] if isinstance(assign, cst.Assign) else []
    words = [n.value for target in named for n in walk(target) if isinstance(n, cst.Name)]
    words += [function.name.value] if function is not None else []
    return any("train" in word for word in words)


def _dropping(call: cst.Call, module: cst.Module, known: dict[str, cst.BaseExpression]) -> cst.Call | None:
    size = _calls.loader_argument(call, "batch_size")
    if _calls.loader_argument(call, "batch_sampler") is not None or (size and _calls.is_name(size.value, "None")):
        return None
    if any(arg.star for arg in call.args) and _calls.has(call, "batch_sampler", module, known) is not False:
        return None
    return _calls.switch(call, "drop_last", module, known) if _by_keyword(call) else None


def _by_keyword(call: cst.Call) -> bool:
    """Tell whether `drop_last`, the ninth parameter, is not given by its position."""
    return len([arg for arg in call.args if arg.keyword is None]) < 9
