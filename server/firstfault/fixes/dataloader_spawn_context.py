"""Give DataLoader workers the spawn start method, so that a worker may use CUDA and inherits no held lock.

Untouched: loaders without workers, loaders whose `**kwargs` may already name a context, and a worker count that
cannot be read twice.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import near, replace
from firstfault.fixes._style import quoted
from firstfault.fixes._walk import walk

TITLE = 'Start the DataLoader\'s workers with multiprocessing_context="spawn"'
SAFETY = "needs-a-look"
SAFE_WHEN = (
    'It is safe when the loader is iterated under `if __name__ == "__main__":` and its dataset, collate_fn and '
    "worker_init_fn can be pickled."
)

_KEYWORD = "multiprocessing_context"


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Add the spawn context to the loaders at the line, or to all when the line holds none."""
    names, known = names_of(module), _calls.constants(module)
    changed: dict[cst.CSTNode, cst.Call] = {}
    for node in walk(module):
        if isinstance(node, cst.Call) and names.is_dataloader(node):
            new = _spawning(node, module, names, known)
            if new is not None:
                changed[node] = new
    return replace(module, {node: changed[node] for node in near(module, list(changed), line)})


def _spawning(
    call: cst.Call, module: cst.Module, names: Names, known: dict[str, cst.BaseExpression]
) -> cst.Call | None:
    """Return the call with the spawn context; None when it has one, needs none, or does not show."""
    spawn = quoted(module, "spawn")
    given = _calls.loader_argument(call, _KEYWORD)
    if given is not None:
        forks = _forks(given.value, names)
        return call.deep_replace(given, given.with_changes(value=spawn)) if forks else None  # type: ignore[return-value]
    hidden = _hidden(call, module, known)
    if hidden is None or _KEYWORD in hidden:
        return None
    workers = _calls.loader_argument(call, "num_workers")
    count = workers.value if workers is not None else hidden.get("num_workers")
    if count is None:
        return None
    sure = _calls.positive(count, known)
    if sure:
        return _calls.add_keyword(call, _KEYWORD, spawn)
    if sure is None and workers is not None and _reads_only(count):
        return _calls.add_keyword(call, _KEYWORD, _when_positive(count, spawn))
    return None


def _forks(context: cst.BaseExpression, names: Names) -> bool:
    """Tell whether a context argument asks for fork or for nothing."""
    if isinstance(context, cst.Call) and names.dotted(context.func) == "multiprocessing.get_context":
        context = context.args[0].value if context.args else context
    if isinstance(context, cst.SimpleString):
        return context.evaluated_value == "fork"
    return isinstance(context, cst.Name) and context.value == "None"


def _hidden(
    call: cst.Call, module: cst.Module, known: dict[str, cst.BaseExpression]
) -> dict[str, cst.BaseExpression] | None:
    """Return the arguments that come in by `**`; None when the text does not show them all."""
    found: dict[str, cst.BaseExpression] = {}
    for arg in call.args:
        if arg.star == "*":
            return None
        if arg.star == "**":
            items = _calls.dict_items(arg.value, module, known)
            if items is None:
                return None
            found |= items
    return found


def _reads_only(node: cst.BaseExpression) -> bool:
    """Tell whether an expression may be written twice: names, attributes, subscripts, `int(x)`, `d.get("k", 0)`."""
    if isinstance(node, (cst.Integer, cst.SimpleString)):
        return True
    if isinstance(node, cst.Call):
        is_int = isinstance(node.func, cst.Name) and node.func.value == "int"
        is_get = isinstance(node.func, cst.Attribute) and node.func.attr.value == "get"
        return (is_int or (is_get and _reads_only(node.func))) and all(_reads_only(arg.value) for arg in node.args)
    if isinstance(node, cst.Attribute):
        return _reads_only(node.value)
    if isinstance(node, cst.Subscript):
        return _reads_only(node.value) and all(
            isinstance(part.slice, cst.Index) and isinstance(part.slice.value, cst.SimpleString) for part in node.slice
        )
    return isinstance(node, cst.Name)


def _when_positive(count: cst.BaseExpression, spawn: cst.SimpleString) -> cst.IfExp:
    """Return `"spawn" if count > 0 else None`: a context without workers is an error."""
    above = cst.Comparison(
        left=count.deep_clone(),
        comparisons=[cst.ComparisonTarget(cst.GreaterThan(), cst.Integer("0"))],
    )
    return cst.IfExp(test=above, body=spawn, orelse=cst.Name("None"))
