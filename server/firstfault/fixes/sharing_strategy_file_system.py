"""Share tensors between processes by files in shared memory instead of open descriptors, which run out.

The call goes below the imports, where a spawned worker makes it too. Untouched: a file that chooses a strategy itself
or starts no processes.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import names_of
from firstfault.fixes._refer import Refer
from firstfault.fixes._style import Statement, blank, lines_of, with_lines
from firstfault.fixes._tree import called, parsed
from firstfault.fixes._walk import walk

TITLE = 'Share tensors by files, not by open descriptors (set_sharing_strategy("file_system"))'
SAFETY = "needs-a-look"
SAFE_WHEN = (
    "It is safe on Linux and macOS when the processes end in good order; one that is killed leaves its files behind "
    "in /dev/shm."
)


def transform(module: cst.Module, line: int | None) -> cst.Module:
    """Choose the strategy once, below the imports."""
    names, refer = names_of(module), Refer(module)
    found = [node for node in walk(module) if isinstance(node, cst.Call)]
    if any(called(call) == "set_sharing_strategy" for call in found):
        return module
    if not any(names.is_dataloader(c) or names.dotted(c.func).startswith("multiprocessing.") for c in found):
        return module
    quote = '"' if module.code.count('"') >= module.code.count("'") else "'"
    new = parsed(module, f"{refer.to('torch.multiprocessing.set_sharing_strategy')}({quote}file_system{quote})")
    module = refer.finish(module)
    body: list[Statement] = list(module.body)
    at = next((i for i in range(len(body), 0, -1) if _imports(body[i - 1])), None)
    if at is None:
        return module
    if at < len(body) and not lines_of(body[at]):
        body[at] = with_lines(body[at], blank(1))
    return module.with_changes(body=[*body[:at], with_lines(new, blank(1)), *body[at:]])


def _imports(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Import, cst.ImportFrom)) for small in statement.body
    )
