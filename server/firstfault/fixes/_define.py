"""Write a lambda or local function as a function at module level.

In: the function and what it closes over. Out: the new def, its bound values as first parameters.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._closures import Closure, Function
from firstfault.fixes._near import replaced
from firstfault.fixes._walk import all_nodes


def define(
    module: cst.Module, closure: Closure, function: Function, name: str, params: cst.Parameters
) -> cst.FunctionDef:
    """Return the function at module level: bound values become its first parameters, its imports its first lines."""
    taken = [cst.Param(cst.Name(value)) for value in closure.values]
    if params.posonly_params:
        params = params.with_changes(posonly_params=[*taken, *params.posonly_params])
    else:
        params = params.with_changes(params=[*taken, *params.params])
    body = replaced(function.body, closure.swaps)
    if isinstance(function, cst.FunctionDef):
        assert isinstance(body, (cst.IndentedBlock, cst.SimpleStatementSuite))
        if closure.imports:
            body = _with_imports(body, closure.imports)
        return function.with_changes(name=cst.Name(name), params=params, body=body)
    assert isinstance(body, cst.BaseExpression)
    value = cst.SimpleStatementLine(body=[cst.Return(_returned(module, body))])
    return cst.FunctionDef(name=cst.Name(name), params=params, body=cst.IndentedBlock(body=[*closure.imports, value]))


def _with_imports(
    body: cst.IndentedBlock | cst.SimpleStatementSuite, imports: list[cst.SimpleStatementLine]
) -> cst.IndentedBlock:
    """Return a function's body with imports at its top, below the docstring."""
    if isinstance(body, cst.SimpleStatementSuite):
        return cst.IndentedBlock(body=[*imports, cst.SimpleStatementLine(body=body.body)])
    first = body.body[0]
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    at = int(isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString))
    return body.with_changes(body=[*body.body[:at], *imports, *body.body[at:]])


def _returned(module: cst.Module, value: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression that may follow `return`: in parentheses where it goes over several lines."""
    text = module.code_for_node(value)
    try:
        cst.parse_expression(text)
    except cst.ParserSyntaxError:
        value = value.with_changes(lpar=[cst.LeftParen(), *value.lpar], rpar=[*value.rpar, cst.RightParen()])
    closes = text.rpartition("\n")[2].lstrip()[:1] in {")", "]", "}"}
    margins = [
        node.last_line for node in all_nodes(value) if isinstance(node, cst.ParenthesizedWhitespace) and node.indent
    ]
    extra = min((len(margin.value) for margin in margins), default=0) - (0 if closes else 4)
    if extra <= 0 or any(set(margin.value) - {" "} for margin in margins):
        return value
    narrowed = value.visit(_Narrow(extra))
    assert isinstance(narrowed, cst.BaseExpression)
    return narrowed


class _Narrow(cst.CSTTransformer):
    """Take spaces off the continuation lines of an expression."""

    def __init__(self, extra: int) -> None:
        super().__init__()
        self.extra = extra

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        margin = updated_node.last_line
        return updated_node.with_changes(last_line=margin.with_changes(value=margin.value[self.extra :]))
