"""The tracebacks that IPython prints in notebooks: no `File "..."`, the line behind an arrow, lines around it.

Shapes: `Cell In[3], line 5` (IPython 8.?+), `Input In [3], in <cell line: 1>()` (8.0), `<ipython-input-3-ab12> in f(x)`
(to 7), `/tmp/ipykernel_12/345.py in f(x)` (ipykernel 6), and `File /lib/x.py:733, in C.f(self)` for modules.
"""

from __future__ import annotations

import re

from firstfault.model import Frame

HEAD = re.compile(r"^(?P<type>[A-Za-z_][\w.]*) +Traceback \(most recent call last\)\s*$")
CELL = re.compile(r"^Cell In ?\[|[\\/]ipykernel_\d+[\\/]\d+\.py$|^<ipython-input-")
_IN_CELL = re.compile(
    r"^(?:Input )?(?P<cell>(?:Cell )?In ?\[\d+\])(?:, line (?P<line>\d+))?(?:, in (?P<function>.+))?$"
)
_IN_FILE = re.compile(r"^File (?P<path>\S.*?):(?P<line>\d+)(?:, in (?P<function>.+))?$")
_IN_OLD = re.compile(r"^(?P<path>[~/\\]?\S*(?:\.py|>)) in (?P<function>\S.*)$")
_ARROW = re.compile(r"^-+> *(?P<line>\d+) ?(?P<code>.*)$")
_AROUND = re.compile(r"^ +\d+(?: .*)?$|^ *\(\.\.\.\)$|^ +\.\.\.$")


def read(frames: list[Frame], text: str) -> bool:
    """Add what a line of such a traceback says to its frames; False for a line that is no part of them."""
    frame = _frame(text)
    if frame is not None:
        frames.append(frame)
        return True
    arrow = _ARROW.match(text)
    if arrow and frames:
        last = frames[-1]
        frames[-1] = Frame(last.path, int(arrow["line"]), last.function, arrow["code"].strip())
        return True
    return not text.strip() or bool(_AROUND.match(text))


def _frame(text: str) -> Frame | None:
    if hit := _IN_CELL.match(text):
        name = hit["cell"] if hit["cell"].startswith("Cell") else f"Cell {hit['cell']}"
        return Frame(name, int(hit["line"] or 0), _function(hit["function"]))
    if hit := _IN_FILE.match(text):
        return Frame(hit["path"], int(hit["line"]), _function(hit["function"]))
    if hit := _IN_OLD.match(text):
        return Frame(hit["path"], 0, _function(hit["function"]))
    return None


def _function(text: str | None) -> str:
    """Return a function's bare name, as other tracebacks have it."""
    if not text or text.startswith(("<cell line", "<module>")):
        return "<module>"
    return text.partition("(")[0].rpartition(".")[2]
