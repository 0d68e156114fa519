"""Read and extend one call: its arguments by name or position, literal values, one more keyword in the same style."""

from __future__ import annotations

import functools

import libcst as cst

from firstfault.fixes._walk import walk

# torch.utils.data.DataLoader's parameters, in order
DATALOADER_PARAMETERS = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "pin_memory",
    "drop_last", "timeout", "worker_init_fn", "multiprocessing_context", "generator",
)  # fmt: skip


def argument(call: cst.Call, name: str, position: int | None = None) -> cst.Arg | None:
    """Return the argument given by keyword or at a position; None when absent or hidden in `*args`."""
    for index, arg in enumerate(call.args):
        if arg.star == "*":
            position = None
        if arg.keyword is not None and arg.keyword.value == name:
            return arg
        if arg.keyword is None and not arg.star and index == position:
            return arg
    return None


def loader_argument(call: cst.Call, name: str) -> cst.Arg | None:
    """Return an argument of a DataLoader call."""
    return argument(call, name, DATALOADER_PARAMETERS.index(name))


@functools.lru_cache(maxsize=2)
def constants(module: cst.Module) -> dict[str, cst.BaseExpression]:
    """Return the names that are bound once in the whole file, by an assignment, with their values."""
    values: dict[str, cst.BaseExpression] = {}
    counts: dict[str, int] = {}
    for node in walk(module):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and isinstance(node.targets[0].target, cst.Name):
            values[node.targets[0].target.value] = node.value
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.Param, cst.CompFor)):
            for name in walk(node.name if isinstance(node, cst.Param) else node.target):
                if isinstance(name, cst.Name):
                    counts[name.value] = counts.get(name.value, 0) + 1
    return {name: value for name, value in values.items() if counts.get(name) == 1}


def dict_items(
    node: cst.BaseExpression, module: cst.Module, known: dict[str, cst.BaseExpression]
) -> dict[str, cst.BaseExpression] | None:
    """Return the items of `{"a": 1}`, `dict(a=1)` or a name for one that nothing changes; None when unsure."""
    if isinstance(node, cst.Name):
        touched = any(
            isinstance(n, cst.Attribute) and isinstance(n.value, cst.Name) and n.value.value == node.value
            for n in walk(module)
        )
        value = known.get(node.value)
        return None if touched or value is None or isinstance(value, cst.Name) else dict_items(value, module, known)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "dict":
        if all(arg.keyword is not None for arg in node.args):
            return {arg.keyword.value: arg.value for arg in node.args if arg.keyword is not None}
        return None
    if not isinstance(node, cst.Dict):
        return None
    items: dict[str, cst.BaseExpression] = {}
    for element in node.elements:
        if not isinstance(element, cst.DictElement) or not isinstance(element.key, cst.SimpleString):
            return None
        items[str(element.key.evaluated_value)] = element.value
    return items


def positive(node: cst.BaseExpression, known: dict[str, cst.BaseExpression]) -> bool | None:
    """Tell whether a number is above zero; None when the text does not say."""
    if isinstance(node, cst.Integer):
        return node.evaluated_value > 0
    if isinstance(node, cst.Name) and node.value in known and not isinstance(known[node.value], cst.Name):
        return positive(known[node.value], known)
    return _positive_call(node, known) if isinstance(node, cst.Call) else None


def _positive_call(call: cst.Call, known: dict[str, cst.BaseExpression]) -> bool | None:
    """Tell whether `os.cpu_count()`, `min(...)` or `max(...)` is above zero."""
    callee = call.func.attr.value if isinstance(call.func, cst.Attribute) else getattr(call.func, "value", "")
    if callee == "cpu_count" and not call.args:
        return True
    if callee not in {"min", "max"} or len(call.args) < 2 or any(arg.star or arg.keyword for arg in call.args):
        return None
    verdicts = {positive(arg.value, known) for arg in call.args}
    if callee == "max" and True in verdicts:
        return True
    return verdicts.pop() if len(verdicts) == 1 else None


def add_keyword(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """Return the call with one more keyword argument at its end, on its own line where the others are."""
    bare = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
    new = cst.Arg(value=value, keyword=cst.Name(name), equal=bare)
    if not call.args:
        return call.with_changes(args=[new])
    *others, last = call.args
    gap = _gap(call)
    if isinstance(last.comma, cst.Comma):
        new = new.with_changes(comma=last.comma.with_changes(whitespace_after=_quiet(last.comma.whitespace_after)))
        comment = _comment(last.comma.whitespace_after)
    else:
        new = new.with_changes(whitespace_after_arg=_quiet(last.whitespace_after_arg))
        comment = _comment(last.whitespace_after_arg)
    if comment is not None:
        gap = _commented(gap, comment)
    last = last.with_changes(comma=cst.Comma(whitespace_after=gap), whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*others, last, new])


def _gap(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """Return the blank that separates the last argument from the one before it."""
    if len(call.args) > 1 and isinstance(call.args[-2].comma, cst.Comma):
        return _quiet(call.args[-2].comma.whitespace_after)
    first = call.whitespace_before_args
    return _quiet(first) if isinstance(first, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")


def _quiet(blank: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    """Return a separator without its comments and empty lines."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return blank
    return blank.with_changes(first_line=cst.TrailingWhitespace(newline=blank.first_line.newline), empty_lines=[])


def _comment(blank: cst.BaseParenthesizableWhitespace) -> cst.ParenthesizedWhitespace | None:
    """Return the separator when it holds a comment."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return None
    held = blank.first_line.comment is not None or any(line.comment is not None for line in blank.empty_lines)
    return blank if held else None


def _commented(
    gap: cst.BaseParenthesizableWhitespace, comment: cst.ParenthesizedWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """Return a separator that ends the line with a comment and goes on where the others do."""
    if isinstance(gap, cst.ParenthesizedWhitespace):
        return gap.with_changes(first_line=comment.first_line, empty_lines=comment.empty_lines)
    return comment


def is_name(node: cst.CSTNode | None, *values: str) -> bool:
    """Tell whether an expression is one of the given words, e.g. `True` or `None`."""
    return isinstance(node, cst.Name) and node.value in values


def has(call: cst.Call, name: str, module: cst.Module, known: dict[str, cst.BaseExpression]) -> bool | None:
    """Tell whether a call gives a keyword, also by `**kwargs`; None when the text does not show."""
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == name:
            return True
        if arg.star == "**":
            items = dict_items(arg.value, module, known)
            if items is None or name in items:
                return None if items is None else True
    return False


def with_keyword(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """Return the call with a keyword set, added when it is not there."""
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value == name:
            changed = [a.with_changes(value=value) if a is arg else a for a in call.args]
            return call.with_changes(args=changed)
    return add_keyword(call, name, value)


def without(call: cst.Call, *unwanted: cst.Arg) -> cst.Call:
    """Return the call without some arguments; the last one left ends as the last one did."""
    kept = [arg for arg in call.args if arg not in unwanted]
    if kept and call.args[-1] in unwanted:
        end = call.args[-1]
        kept[-1] = kept[-1].with_changes(comma=end.comma, whitespace_after_arg=end.whitespace_after_arg)
    return call.with_changes(args=kept)


def switch(
    call: cst.Call, name: str, module: cst.Module, known: dict[str, cst.BaseExpression], wanted: str = "True"
) -> cst.Call | None:
    """Return the call with a flag set to a word; None when it is so already, or is computed or hidden."""
    given = argument(call, name)
    if given is None:
        hidden = has(call, name, module, known) is not False or any(arg.star == "*" for arg in call.args)
        return None if hidden else add_keyword(call, name, cst.Name(wanted))
    other = "False" if wanted == "True" else "True"
    return with_keyword(call, name, cst.Name(wanted)) if is_name(given.value, other, "None") else None
