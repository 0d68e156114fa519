"""Take the prefix that DDP (`module.`) or torch.compile (`_orig_mod.`) puts before every name off, or meet it.

Which side has the prefix, the log tells. Untouched: when it does not.
"""

from __future__ import annotations

import re

import libcst as cst

from firstfault.fixes._names import Names, names_of
from firstfault.fixes._near import Replacement, near, replace
from firstfault.fixes._refer import Refer
from firstfault.fixes._tree import Tree, before, called, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Meet the prefix that DDP or torch.compile puts before the names of the weights"
SAFETY = "safe"
SAFE_WHEN = "It is safe: it changes names only, and load_state_dict still checks all of them."
READS_LOG = True

_PREFIXES = ("module.", "_orig_mod.")
_CONSUME = "torch.nn.modules.utils.consume_prefix_in_state_dict_if_present"
_KEYS = re.compile(r"(Missing|Unexpected) key\(s\) in state_dict: (.*)")


def transform(module: cst.Module, line: int | None, said: str) -> cst.Module:
    """Take the prefix off the loaded names, or load into the model inside the wrapper."""
    missing, unexpected = _prefix(said, "Missing"), _prefix(said, "Unexpected")
    if missing == unexpected:
        return module
    names, tree, refer = names_of(module), tree_of(module), Refer(module)
    loads = [
        n for n in walk(module) if isinstance(n, cst.Call) and called(n) == "load_state_dict" and _is_model(n, names)
    ]
    changed: dict[cst.CSTNode, Replacement] = {}
    for call in near(module, loads, line):
        if missing and not unexpected:
            changed[call] = _inside(call, missing)
        elif unexpected and not missing:
            new = _taken_off(module, tree, refer, call, unexpected)
            if new is None:
                return module
            changed |= new
    return refer.finish(replace(module, {k: v for k, v in changed.items() if v is not k})) if changed else module


def _prefix(said: str, which: str) -> str:
    """Return the prefix that all keys of a list in the message share; empty when they share none."""
    keys = [key for kind, rest in _KEYS.findall(said) if kind == which for key in re.findall(r'"([^"]+)"', rest)]
    return next((prefix for prefix in _PREFIXES if keys and all(key.startswith(prefix) for key in keys)), "")


def _is_model(call: cst.Call, names: Names) -> bool:
    owner = call.func.value if isinstance(call.func, cst.Attribute) else None
    words = text_of(owner) if owner is not None else "optimizer"
    return bool(call.args) and not re.search(r"optim|sched|scaler|sampler", words)


def _inside(call: cst.Call, prefix: str) -> cst.Call:
    assert isinstance(call.func, cst.Attribute)
    inner = prefix.rstrip(".")
    if isinstance(call.func.value, cst.Attribute) and call.func.value.attr.value == inner:
        return call
    return call.with_changes(func=call.func.with_changes(value=cst.Attribute(call.func.value, cst.Name(inner))))


def _taken_off(
    module: cst.Module, tree: Tree, refer: Refer, call: cst.Call, prefix: str
) -> dict[cst.CSTNode, Replacement] | None:
    statement, state = tree.line(call), call.args[0].value
    if statement is None:
        return None
    quote = "'" if module.code.count("'") > module.code.count('"') else '"'
    siblings = list(tree.siblings(statement))
    at = siblings.index(statement)
    if at and "consume_prefix_in_state_dict_if_present" in text_of(siblings[at - 1]):
        return None
    if isinstance(state, cst.Call):
        if "state_dict" in {n.value for n in walk(module) if isinstance(n, cst.Name)} and _binds(module, "state_dict"):
            return None
        lines = [parsed(module, f"state_dict = {text_of(state)}")]
        name, arg = "state_dict", call.args[0].with_changes(value=cst.Name("state_dict"))
        new_call = call.with_changes(args=[arg, *call.args[1:]])
        rest = statement.with_changes(body=[cst.Expr(new_call)])
    else:
        lines, name, rest = [], text_of(state), statement
    lines.append(parsed(module, f"{refer.to(_CONSUME)}({name}, {quote}{prefix}{quote})"))
    *done, last = before(statement, *lines)
    assert isinstance(last, cst.SimpleStatementLine)
    rest = rest.with_changes(leading_lines=last.leading_lines)
    return {statement: cst.FlattenSentinel([*done, rest])}


def _binds(module: cst.Module, name: str) -> bool:
    return any(
        isinstance(n, cst.AssignTarget) and isinstance(n.target, cst.Name) and n.target.value == name
        for n in walk(module)
    )
