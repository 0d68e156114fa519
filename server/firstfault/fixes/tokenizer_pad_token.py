"""Pad with the end-of-text token, where a tokenizer has no padding token of its own.

Untouched: files that set a padding token, and tokenizers that are not made here.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._near import Replacement, at_line
from firstfault.fixes._tree import after, called, parsed, text_of, tree_of
from firstfault.fixes._walk import walk

TITLE = "Pad with the end-of-text token (tokenizer.pad_token = tokenizer.eos_token)"
SAFETY = "needs-a-look"
SAFE_WHEN = "It is safe when the attention mask is used and padded labels are -100; else add a token of its own."


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Set the token on the line after the tokenizer is made."""
    tree = tree_of(module)
    if any(isinstance(n, cst.Attribute) and n.attr.value in {"pad_token", "pad_token_id"} for n in walk(module)):
        return module
    changed: dict[cst.CSTNode, Replacement] = {}
    for node in walk(module):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and _makes(node.value):
            statement, target = tree.line(node), node.targets[0].target
            if statement is not None and isinstance(target, (cst.Name, cst.Attribute)):
                name = text_of(target)
                changed[statement] = after(statement, parsed(module, f"{name}.pad_token = {name}.eos_token"))
    return at_line(module, changed, line)


def _makes(value: cst.BaseExpression) -> bool:
    """Tell whether a value is a tokenizer of transformers."""
    if not isinstance(value, cst.Call) or any(arg.keyword and arg.keyword.value == "pad_token" for arg in value.args):
        return False
    text = text_of(value.func)
    return (called(value) == "from_pretrained" and "Tokenizer" in text) or text.endswith("PreTrainedTokenizerFast")
