"""Load a whole pickle, which may run code: only for a file of your own.

Untouched: loads whose `weights_only` is computed or already off.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import names_of
from firstfault.fixes._near import at_line
from firstfault.fixes._torch import calls

TITLE = "Load the whole pickle, which may run code (weights_only=False)"
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe only for a file that you wrote yourself: whoever made the file can run any code in this process."
)


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Switch the check off at the line, or everywhere."""
    names, known = names_of(module), _calls.constants(module)
    found = {
        call: _calls.switch(call, "weights_only", module, known, "False")
        for call in calls(module, names, frozenset({"torch.load"}))
        if call.args
    }
    return at_line(module, {node: new for node, new in found.items() if new is not None}, line)
