"""Values of the launcher that a script overwrites."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import environment_not_hard_coded
from firstfault.fixes._tree import text_of


def hard_coded(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find assignments of literals to the launcher's variables, and literal ranks of init_process_group."""
    for node in environment_not_hard_coded.overwritten(module):
        what = text_of(node.targets[0].target) if isinstance(node, cst.Assign) else "The rank"
        yield node, f"{what} is set by the launcher; the value written here takes its place, so the ranks do not meet."
