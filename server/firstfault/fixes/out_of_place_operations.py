"""Make operations in `forward` that change a tensor in place give a new one: autograd needs the old values.

`inplace=True` goes, `x += y` becomes `x = x + y`, `x.relu_()` becomes `x = x.relu()`. Untouched: counters, attributes,
parts of tensors, and code outside a module's forward.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, replace
from firstfault.fixes._tree import called, expression_of, tree_of
from firstfault.fixes._walk import parameter_list, runs_at_once, walk

TITLE = "Compute new tensors in forward instead of changing them in place"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when nothing else relies on the tensor being changed; it takes a little more memory."

_OPERATORS: dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
}
_NO_TENSORS = (cst.Integer, cst.List, cst.Tuple, cst.ListComp, cst.Dict, cst.BaseString)
_METHODS = frozenset({"relu_", "add_", "mul_", "sub_", "div_", "clamp_", "sigmoid_", "tanh_", "exp_", "sqrt_", "neg_"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Exchange every such operation of the file's modules; the line of a failed backward does not name the place."""
    names, tree = names_of(module), tree_of(module)
    changed: dict[cst.CSTNode, Replacement] = {}
    for node in walk(module):
        if isinstance(node, cst.ClassDef) and any(
            names.dotted(b.value).rpartition(".")[2] == "Module" for b in node.bases
        ):
            changed |= dict(_in_class(node))
    for node in walk(module):
        if isinstance(node, cst.Call) and names.dotted(node.func).startswith("torch.nn."):
            for arg in node.args:
                if arg.keyword is not None and arg.keyword.value == "inplace" and _is_true(arg.value):
                    changed[arg] = arg.with_changes(value=cst.Name("False"))
    changed = {node: new for node, new in changed.items() if isinstance(node, cst.Arg) or tree.line(node) is not None}
    return replace(module, changed) if changed else module


def _is_true(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "True"


def _in_class(node: cst.ClassDef) -> Iterator[tuple[cst.CSTNode, Replacement]]:
    for method in node.body.body:
        if not isinstance(method, cst.FunctionDef) or not method.name.value.startswith("forward"):
            continue
        tensors = {p.name.value for p in parameter_list(method.params)[1:]}
        for n in walk(method.body, runs_at_once):
            if isinstance(n, cst.Assign) and isinstance(n.value, cst.Call):
                tensors |= {t.target.value for t in n.targets if isinstance(t.target, cst.Name)}
        for n in walk(method.body, runs_at_once):
            new = _out_of_place(n, tensors)
            if new is not None:
                yield n, new


def _out_of_place(node: cst.CSTNode, tensors: set[str]) -> Replacement | None:
    if isinstance(node, cst.AugAssign) and type(node.operator) in _OPERATORS:
        target = node.target
        if not isinstance(target, cst.Name) or target.value not in tensors or isinstance(node.value, _NO_TENSORS):
            return None
        value = _grouped(node.value)
        sum_ = cst.BinaryOperation(left=target, operator=_OPERATORS[type(node.operator)](), right=value)
        return cst.Assign(targets=[cst.AssignTarget(target)], value=sum_)
    call = expression_of(node)
    if isinstance(node, cst.SimpleStatementLine) and isinstance(call, cst.Call) and called(call) in _METHODS:
        assert isinstance(call.func, (cst.Attribute, cst.Name))
        if isinstance(call.func, cst.Attribute) and isinstance(call.func.value, cst.Name):
            owner = call.func.value
            if owner.value in tensors:
                plain = call.func.with_changes(attr=cst.Name(call.func.attr.value.rstrip("_")))
                new = cst.Assign(targets=[cst.AssignTarget(owner)], value=call.with_changes(func=plain))
                return node.with_changes(body=[new])
    return None


def _grouped(value: cst.BaseExpression) -> cst.BaseExpression:
    """Return an operand in parentheses where its own operators would bind otherwise."""
    loose = (cst.BinaryOperation, cst.IfExp, cst.Comparison, cst.BooleanOperation, cst.Lambda, cst.UnaryOperation)
    if isinstance(value, loose) and not value.lpar:
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return value
