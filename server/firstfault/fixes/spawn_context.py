"""Make processes, and the queues and locks that they share, in one spawn context: nothing is inherited by fork.

Untouched: a file that sets the start method, and things that come from a context already, which decide for the others.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import CONTEXT, Names, names_of
from firstfault.fixes._near import Replacement, positions, replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import quoted
from firstfault.fixes._torch import assigned, calls
from firstfault.fixes._tree import called, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = 'Make processes and what they share in one context (get_context("spawn"))'
SAFETY = "needs-a-look"
SAFE_WHEN = (
    'It is safe when the processes are started under `if __name__ == "__main__":` and what is given to them can be '
    "pickled."
)

_MADE = ("Process", "Pool", "Queue", "SimpleQueue", "JoinableQueue", "Lock", "RLock", "Event", "Condition", "Semaphore")
_MORE = ("BoundedSemaphore", "Barrier", "Value", "Array", "Manager", "Pipe")
_MAKERS = frozenset(f"multiprocessing.{name}" for name in (*_MADE, *_MORE))
_EXECUTOR = "concurrent.futures.ProcessPoolExecutor"


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Take everything that processes are made of from the file's context, else from a new one."""
    names, refer = names_of(module), Refer(module)
    if any(called(node) == "set_start_method" for node in walk(module)):
        return module
    contexts = _own(module, names)
    if len(contexts) > 1:
        return module
    made = f"{refer.to('multiprocessing', 'torch.multiprocessing')}.get_context({quoted(module, 'spawn').value})"
    text = contexts[0] if contexts else made
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in calls(module, names, _MAKERS):
        new = cst.Attribute(cst.parse_expression(text), cst.Name(names.dotted(call.func).rpartition(".")[2]))
        changed[call] = call.with_changes(func=new)
    for call in calls(module, names, frozenset({_EXECUTOR})):
        if not contexts and _calls.argument(call, "mp_context", 1) is None and not any(a.star for a in call.args):
            changed[call] = _calls.add_keyword(call, "mp_context", cst.parse_expression(text))
    if contexts and not _seen(module, names, contexts[0], changed):
        return module
    nested = any(n is not call and n in changed for call in changed for n in walk(call))
    return module if nested or not changed else refer.finish(replace(module, changed))


def _seen(module: cst.Module, names: Names, context: str, changed: Iterable[cst.CSTNode]) -> bool:
    """Tell whether every place to change sees the context: it is made above, in the module or in their function."""
    tree, where = tree_of(module), positions(module)
    made = [
        n
        for n in walk(module)
        if isinstance(n, cst.Assign) and names.dotted(n.value) == CONTEXT and text_of(n.targets[0].target) == context
    ]
    if len(made) != 1 or "." in context:
        return False
    around, line = tree.function(made[0]), where[made[0]].start.line
    return all(
        tree.function(node) is around and where[node].start.line > line
        if around is not None
        else tree.function(node) is not None or where[node].start.line > line
        for node in changed
    )


def _own(module: cst.Module, names: Names) -> list[str]:
    """Return the variables that hold contexts of the file."""
    return [
        name
        for name, values in assigned(module).items()
        if any(isinstance(value, cst.Call) and names.dotted(value) == CONTEXT for value in values)
    ]
