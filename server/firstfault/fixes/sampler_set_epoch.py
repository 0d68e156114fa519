"""Tell the DistributedSampler each epoch's number: without it, every epoch has the same order.

Untouched: a file that calls `set_epoch` anywhere, and loops whose loader or epoch does not show.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._style import with_lines
from firstfault.fixes._torch import SAMPLERS, assigned, bound, iterated
from firstfault.fixes._tree import called, parsed, text_of, tree_of
from firstfault.fixes._walk import runs_at_once, walk

TITLE = "Shuffle anew in each epoch (sampler.set_epoch)"
SAFETY = "safe"
SAFE_WHEN = "It is safe: only the order of the samples changes, from the second epoch on."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Call set_epoch first in the loops over epochs."""
    return at_line(module, {loop: _telling(module, loop, call) for loop, call in missing(module)}, line)


def missing(module: cst.Module) -> Iterator[tuple[cst.For, str]]:
    """Yield the loops over epochs whose sampler is not told the epoch, with the call that tells it."""
    names, tree, values = names_of(module), tree_of(module), assigned(module)
    samplers = bound(module, names, SAMPLERS)
    if not samplers or any(called(node) == "set_epoch" for node in walk(module)):
        return
    for loop in walk(module):
        if not isinstance(loop, cst.For) or not isinstance(loop.target, cst.Name) or "epoch" not in loop.target.value:
            continue
        for inner in walk(loop.body, runs_at_once):
            if isinstance(inner, cst.For) and isinstance(loader := iterated(inner), cst.Name):
                sampler = _sampler(values.get(loader.value, []), names, samplers)
                if sampler and tree.function(loop) is tree.function(samplers[sampler][0]):
                    yield loop, f"{sampler}.set_epoch({loop.target.value})"
                    break


def _sampler(loaders: list[cst.BaseExpression], names: Names, samplers: dict[str, list[cst.Assign]]) -> str | None:
    """Return the variable of the loader's sampler, when one shuffling DistributedSampler is all that it can be."""
    if len(loaders) != 1 or not names.is_dataloader(loaders[0]):
        return None
    assert isinstance(loaders[0], cst.Call)
    given = _calls.loader_argument(loaders[0], "sampler")
    name = text_of(given.value) if given is not None and isinstance(given.value, cst.Name) else ""
    if len(samplers.get(name, [])) != 1:
        return None
    made = samplers[name][0].value
    assert isinstance(made, cst.Call)
    shuffle = _calls.argument(made, "shuffle", 3)
    return None if shuffle is not None and not _calls.is_name(shuffle.value, "True") else name


def _telling(module: cst.Module, loop: cst.For, call: str) -> cst.For:
    assert isinstance(loop.body, cst.IndentedBlock)
    first, *rest = loop.body.body
    new = with_lines(parsed(module, call), ())
    return loop.with_changes(body=loop.body.with_changes(body=[new, first, *rest]))
