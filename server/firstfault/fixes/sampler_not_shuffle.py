"""Leave shuffling to the sampler: a DataLoader takes a sampler or `shuffle`, not both.

A sampler that may be None keeps the shuffle for that case. Untouched: a loader whose sampler is None.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._torch import assigned
from firstfault.fixes._tree import text_of
from firstfault.fixes._walk import walk

TITLE = "Leave the shuffling to the sampler (no shuffle= beside sampler=)"
SAFETY = "safe"
SAFE_WHEN = "It is safe: a loader with both does not start, and DistributedSampler shuffles by itself."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Drop `shuffle` beside a sampler, or make it depend on the sampler."""
    names, values = names_of(module), assigned(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for node in walk(module):
        if isinstance(node, cst.Call) and names.is_dataloader(node):
            new = _mended(node, values)
            if new is not None:
                changed[node] = new
    return at_line(module, changed, line)


def certain(call: cst.Call, values: dict[str, list[cst.BaseExpression]]) -> bool:
    """Tell whether a loader surely gets a sampler and `shuffle=True`."""
    shuffle, sampler = _calls.argument(call, "shuffle"), _calls.argument(call, "sampler")
    if shuffle is None or sampler is None or not _calls.is_name(shuffle.value, "True"):
        return False
    known = [sampler.value] if isinstance(sampler.value, cst.Call) else values.get(text_of(sampler.value), [])
    return bool(known) and all(isinstance(value, cst.Call) for value in known)


def _mended(call: cst.Call, values: dict[str, list[cst.BaseExpression]]) -> cst.Call | None:
    shuffle, sampler = _calls.argument(call, "shuffle"), _calls.argument(call, "sampler")
    if shuffle is None or sampler is None or _calls.is_name(shuffle.value, "False"):
        return None
    source = sampler.value
    if isinstance(source, cst.Call):
        return _calls.without(call, shuffle)
    if not isinstance(source, (cst.Name, cst.Attribute)) or _calls.is_name(source, "None"):
        return None
    name = text_of(source)
    known = values.get(name, [])
    if known and all(isinstance(value, cst.Call) for value in known):
        return _calls.without(call, shuffle)
    if f"{name} is None" in text_of(shuffle.value) or not _calls.is_name(shuffle.value, "True"):
        return None
    return _calls.with_keyword(call, "shuffle", cst.parse_expression(f"{name} is None"))
