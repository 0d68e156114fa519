"""Put a GradScaler's calls in order: scale and backward, unscale_ before clipping, step, update.

Untouched: loops that accumulate gradients or use several optimizers, and blocks in which a call does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._style import Statement, with_lines
from firstfault.fixes._torch import bound
from firstfault.fixes._tree import called, expression_of, parsed, text_of
from firstfault.fixes._walk import walk

TITLE = "Put the GradScaler's calls in order (scale, backward, unscale_, clip, step, update)"
SAFETY = "safe"
SAFE_WHEN = "It is safe when each step of the scaler belongs to the one backward before it."

_SCALERS = frozenset({"torch.cuda.amp.GradScaler", "torch.amp.GradScaler", "torch.cuda.amp.grad_scaler.GradScaler"})
_CLIPS = frozenset({"clip_grad_norm_", "clip_grad_value_"})


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Mend the blocks that step a scaler."""
    scalers = set(bound(module, names_of(module), _SCALERS))
    changed: dict[cst.CSTNode, Replacement] = {}
    for block in walk(module):
        if isinstance(block, cst.IndentedBlock):
            body = list(block.body)
            new = _mended(module, body, scalers)
            if new is not None:
                changed[block] = block.with_changes(body=new)
    return at_line(module, changed, line)


def _mended(module: cst.Module, body: Sequence[Statement], scalers: set[str]) -> list[Statement] | None:
    """Return a block in order; None when it is so, or does not show one backward and one step."""
    steps = [(i, c) for i, c in _calls(body, "step") if _owner(c) in scalers and len(c.args) == 1]
    backwards = list(_calls(body, "backward"))
    if len(steps) != 1 or len(backwards) != 1 or backwards[0][0] > steps[0][0]:
        return None
    (at, step), (start, backward) = steps[0], backwards[0]
    scaler, optimizer = _owner(step), text_of(step.args[0].value)
    new = list(body)
    if not isinstance(backward.func, cst.Attribute) or "scale(" not in text_of(backward.func.value):
        new[start] = _scaled(module, body[start], backward, scaler)
    clips = [i for i, _ in _calls(body, *_CLIPS) if start < i < at]
    unscaled = any(True for i, c in _calls(body, "unscale_") if i < at)
    zeroes = [i for i, c in _calls(body, "zero_grad") if start < i < at and _owner(c) == optimizer]
    updates = any(
        called(n) == "update" and _owner(n) == scaler for s in body for n in walk(s) if isinstance(n, cst.Call)
    )
    elsewhere = any(called(n) == "update" and _owner(n) == scaler for n in walk(module) if isinstance(n, cst.Call))
    if not updates and elsewhere:
        return None
    if not updates:
        new[at] = _Both(new[at], parsed(module, f"{scaler}.update()"))  # type: ignore[call-overload]
    for i in zeroes:
        new[i] = _Both()  # type: ignore[call-overload]
        new[start] = _Both(with_lines(body[i], body[start].leading_lines), with_lines(new[start], ()))  # type: ignore[call-overload,attr-defined]
    if clips and not unscaled:
        clip = body[clips[0]]
        new[clips[0]] = _Both(  # type: ignore[call-overload]
            with_lines(parsed(module, f"{scaler}.unscale_({optimizer})"), clip.leading_lines),  # type: ignore[attr-defined]
            with_lines(clip, ()),
        )
    flat = [s for item in new for s in (item if isinstance(item, _Both) else [item])]
    return None if flat == list(body) else flat


class _Both(tuple[cst.BaseStatement, ...]):
    """Several statements in the place of one."""

    def __new__(cls, *statements: cst.BaseStatement) -> _Both:
        return super().__new__(cls, statements)


def _calls(body: Sequence[cst.CSTNode], *wanted: str) -> Iterator[tuple[int, cst.Call]]:
    """Yield the calls that are all that a statement of a block does, with the statement's place."""
    for index, statement in enumerate(body):
        call = expression_of(statement)
        if isinstance(call, cst.Call) and called(call) in wanted:
            yield index, call


def _owner(call: cst.Call) -> str:
    return text_of(call.func.value) if isinstance(call.func, cst.Attribute) else ""


def _scaled(module: cst.Module, statement: Statement, backward: cst.Call, scaler: str) -> Statement:
    """Return `loss.backward()` as `scaler.scale(loss).backward()`."""
    assert isinstance(backward.func, cst.Attribute)
    scaled = cst.parse_expression(f"{scaler}.scale({text_of(backward.func.value)})", config=module.config_for_parsing)
    new = statement.deep_replace(backward, backward.with_changes(func=backward.func.with_changes(value=scaled)))
    assert isinstance(new, cst.BaseStatement)
    return new
