"""Put Python tracebacks together, one speaker's lines at a time, with their chains."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firstfault.model import Frame, Place, Raised, Speaker, Traceback
from firstfault.parsing import notebooks
from firstfault.parsing.tagging import Tagged, time_of

START = re.compile(r"^(?P<indent>[\s|+]*)(?:Original |Exception Group )?Traceback \(most recent call last\):\s*$")
# rich: ╭───── Traceback (most recent call last) ─────╮ / │ /job/train.py:42 in forward │ / ╰─────╯ / KeyError: 'x'
BOX = re.compile(r"^\s*[╭+]─*[─ ]+Traceback \(most recent call last\)[─ ]+[╮+]?\s*$")
BOX_END = re.compile(r"^\s*[╰+][─-]+[╯+]?\s*$")
BOX_FRAME = re.compile(r"^(?P<path>\S.*\.py|<[^>]+>):(?P<line>\d+) in (?P<function>\S+)$")
BOX_CODE = re.compile(r"^❱\s*\d+[\s│]*(?P<code>.*)$")
FRAME = re.compile(r'^\s*(?:\|\s*)?File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$')
# e.g. torch.distributed.DistStoreError: Timed out ...; bare names such as KeyboardInterrupt; not "Note: ..." prose
RAISED = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:\.<locals>)?[\w.]*(?:\(\w+\))?)(?::\s(?P<message>.*)|:|\s*)$", re.DOTALL
)
SPAWNED = re.compile(r"^-- Process (?P<index>\d+) terminated with the following error:")
REMOTE = re.compile(r"\(\w+\)$")  # ray.exceptions.RayTaskError(ValueError): the remote frames follow as its message
CHAINED = ("During handling of the above exception", "The above exception was the direct cause")
IGNORED = ("Exception ignored in", "Exception ignored while", "Error in atexit._run_exitfuncs", "Exception ignored on")
ENDS_MESSAGE = re.compile(
    r"^(?:\[?[EWIF]\d{4} |\[?\d{4}-\d\d-\d\d|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):\w|srun: |"
    r"={8}|-{20}|\[\d+\]:$|Process \w+-\d+:)"
)
RULE = re.compile(r"^-{20,}$")
MARKERS = re.compile(r"^[\s~^|]*$")
TOP = frozenset({"<module>", "_bootstrap", "_bootstrap_inner", "_wrap", "_run_module_as_main", "spawn_main"})
# the wrapper of @record around main, and the interpreter's own starters of child processes
OUTERMOST = re.compile(
    r"elastic/multiprocessing/errors/__init__\.py$|/multiprocessing/(?:forkserver|spawn|process)\.py$"
)
SCRIPT_ERRORS = ("SyntaxError", "IndentationError", "TabError")
HEADLESS = '  File "'  # a script that does not compile has no `Traceback` line; neither has a paste without its top
LITERALS = ("Traceback (most recent call last)", HEADLESS, "-- Process ")
MAX_MESSAGE = 60  # lines
MAX_TEXT = 400  # lines kept of one traceback


@dataclass(slots=True)
class _Open:
    """A traceback that is still being read."""

    speaker: Speaker
    source: int
    first: int
    header: str
    time: str | None
    indent: str
    prefixed: bool
    last: int = 0
    chain: list[Raised] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    message: list[str] | None = None
    type: str = ""
    blank: bool = False
    spawn_index: int | None = None
    boxed: bool = False
    notebook: bool = False
    chained: bool = False  # the line that leads to the next exception of the chain has been read
    text: list[str] = field(default_factory=list)

    def finish_exception(self) -> None:
        if self.message is not None:
            self.chain.append(Raised(self.type, "\n".join(self.message).strip(), tuple(self.frames)))
        self.message, self.frames = None, []


class Tracebacks:
    """Takes the lines of one source in order; `take` says whether a line belongs to a traceback."""

    def __init__(
        self,
        source: int,
        emit: Callable[[Traceback], None],
        frames: Sequence[tuple[str, re.Pattern[str]]],
        reports: Sequence[tuple[str, re.Pattern[str]]],
        agents: Sequence[tuple[str, re.Pattern[str]]],
    ) -> None:
        self._source, self._emit = source, emit
        self._frames, self._reports, self._agents = frames, reports, agents
        self._open: dict[tuple[object, ...], _Open] = {}
        self._headers: dict[tuple[object, ...], str] = {}
        self.doubtful = False  # the line last taken may as well be somebody's next ordinary line

    @property
    def reading(self) -> bool:
        """Whether a traceback has begun and not ended."""
        return bool(self._open)

    def take(self, line: Tagged, number: int) -> bool:
        """Return True when the line is part of a traceback (and so no sign of life)."""
        now = self._open.get(line.key)
        if now is not None:
            if self._continue(now, line.text, number):
                return True
            self._close(line.key)
        if "Traceback (most recent call last)" in line.text:
            start, boxed = START.match(line.text), bool(BOX.match(line.text))
            notebook = bool(notebooks.HEAD.match(line.text))
            if start or boxed or notebook:
                self._start(line, number, start["indent"].replace("+", "|") if start else "", boxed=boxed)
                self._open[line.key].notebook = notebook
                return True
        elif line.text.startswith(HEADLESS) and FRAME.match(line.text):
            self._start(line, number, "", boxed=False)
            return self._continue(self._open[line.key], line.text, number)
        if line.text.strip():
            self._headers[line.key] = line.text[:400]
        return False

    def forget_before(self, number: int) -> None:
        """Close tracebacks that stopped long ago: their process says no more, and others need not be read for them."""
        for key in [key for key, now in self._open.items() if now.last < number]:
            self._close(key)

    def finish(self) -> None:
        """Close what the end of the text left open."""
        for key in list(self._open):
            self._close(key)

    def _start(self, line: Tagged, number: int, indent: str, *, boxed: bool) -> None:
        header = self._headers.get(line.key, "")
        # PyTorch and launchers prefix every line of a message; without a prefix a blank line may end it
        prefixed = line.speaker.rank is not None or line.speaker.local_rank is not None
        self._open[line.key] = _Open(
            line.speaker, self._source, number, header, line.time or time_of(header), indent, prefixed, number
        )
        self._open[line.key].boxed = boxed
        if not line.text.startswith(HEADLESS):
            self._open[line.key].text.append(line.text)

    def _continue(self, now: _Open, text: str, number: int) -> bool:
        self.doubtful = False
        if now.message is None:
            taken = self._frame(now, text)
        else:
            again = now.notebook and bool(notebooks.HEAD.match(text) or (now.chained and RULE.match(text)))
            taken = self._again(now, text) if again else self._message(now, text)
        if taken:
            now.last = number if text.strip() and not self.doubtful else now.last
            if len(now.text) < MAX_TEXT:
                now.text.append(text)
        return taken

    def _frame(self, now: _Open, text: str) -> bool:
        """Read a line between `Traceback` and the exception."""
        if now.boxed:
            return self._in_box(now, text)
        if (now.notebook and notebooks.read(now.frames, text)) or self._plain(now, text):
            return True
        bare = text[len(now.indent) :] if text.startswith(now.indent) else text
        if bare[:1] in (" ", "\t"):
            if now.frames and not now.frames[-1].code and not MARKERS.match(bare):
                last = now.frames[-1]
                now.frames[-1] = Frame(last.path, last.line, last.function, bare.strip())
            return True
        if START.match(text) or not bare.strip():
            return bool(now.chain) or bool(START.match(text))
        hit = RAISED.match(bare)
        if not hit or not (now.frames or now.chain or hit["message"]):
            return False
        now.type, now.message = hit["type"], [hit["message"] or ""]
        return True

    @staticmethod
    def _plain(now: _Open, text: str) -> bool:
        """Read a line that names a frame as Python itself does."""
        if hit := FRAME.match(text):
            now.frames.append(Frame(hit["path"], int(hit["line"]), hit["function"] or ""))
        return bool(hit)

    @staticmethod
    def _in_box(now: _Open, text: str) -> bool:
        """Read a line of rich's box; the exception follows below it."""
        if BOX_END.match(text):
            now.boxed = False
            return True
        inner = text.strip().strip("│").strip()
        if hit := BOX_FRAME.match(inner):
            now.frames.append(Frame(hit["path"], int(hit["line"]), hit["function"]))
        elif now.frames and (code := BOX_CODE.match(inner)):
            last = now.frames[-1]
            now.frames[-1] = Frame(last.path, last.line, last.function, code["code"])
        return len(now.text) < MAX_TEXT

    @staticmethod
    def _again(now: _Open, text: str) -> bool:
        """Read the rule and the head of another notebook traceback, which goes on with this one or is the next."""
        if now.chained and not RULE.match(text):
            now.finish_exception()
            now.chained = False
            return True
        return now.chained

    def _message(self, now: _Open, text: str) -> bool:
        """Read a line after the exception: more of its message, a chained traceback, or something else."""
        bare = text[len(now.indent) :] if text.startswith(now.indent) else text
        if START.match(text) or bare.startswith(CHAINED) or SPAWNED.match(bare):
            now.chained = bare.startswith(CHAINED)
            if START.match(text) and not self._chains(now, text):
                return False
            if hit := SPAWNED.match(bare):
                now.spawn_index = int(hit["index"])
            if START.match(text):
                now.finish_exception()
            now.blank = False
            return True
        if REMOTE.search(now.type) and FRAME.match(bare):
            now.finish_exception()
            return self._frame(now, bare)
        if not bare.strip():
            now.blank = True
            return True
        assert now.message is not None
        indented = bare[:1] in (" ", "\t")
        # what a colon announces may stand below a blank line: "WeightsUnpickler error: \n\nUnsupported operand 118"
        parted = now.blank and not now.prefixed and not now.message[-1].rstrip().endswith(":")
        again = not indented and (parted or now.message == [""])
        if again or ENDS_MESSAGE.match(bare) or len(now.message) >= MAX_MESSAGE:
            return False
        now.message.append(bare)
        self.doubtful = not indented and not now.prefixed
        return True

    @staticmethod
    def _chains(now: _Open, text: str) -> bool:
        """Tell whether a new `Traceback` line belongs to this one: an original of a worker, or after a connector."""
        last = next((line for line in reversed(now.text) if line.strip()), "")
        return "Original Traceback" in text or last.strip().startswith(CHAINED) or bool(SPAWNED.match(last.strip()))

    def _close(self, key: tuple[object, ...]) -> None:
        now = self._open.pop(key)
        now.finish_exception()
        if not now.chain:
            return
        place = Place(now.source, now.first, now.last, now.speaker, now.time)
        self._emit(
            Traceback(
                place=place,
                chain=tuple(now.chain),
                uncaught=now.spawn_index is not None or "torch" in key or any(map(reaches_top, now.chain)),
                ignored=now.header.startswith(IGNORED),
                launcher=self._launcher_of(now.chain),
                spawn_index=now.spawn_index,
                header=now.header,
                text=tuple(now.text),
            )
        )

    def _launcher_of(self, chain: Sequence[Raised]) -> str | None:
        """Name the launcher that reports by this exception, or whose own program raised it: no frame is the user's."""
        reported = next((name for name, regex in self._reports if regex.search(chain[-1].type)), None)
        if reported:
            return reported
        frames = [frame for raised in chain for frame in raised.frames]
        agent = next((name for name, regex in self._agents for frame in frames if regex.search(frame.path)), None)
        if agent:
            return agent
        if any(is_user_code(frame.path) and not self._owner(frame) for frame in frames):
            return None
        return next((owner for frame in frames if (owner := self._owner(frame))), None)

    def _owner(self, frame: Frame) -> str | None:
        return next((name for name, regex in self._frames if regex.search(frame.path)), None)


def reaches_top(raised: Raised) -> bool:
    """Tell whether an exception went through the outermost frame of its program, so that nobody caught it."""
    if not raised.frames:
        return False
    top = raised.frames[0]
    return top.function in TOP or raised.type in SCRIPT_ERRORS or bool(OUTERMOST.search(top.path))


def is_user_code(path: str) -> bool:
    """Tell the user's own files from libraries, the interpreter and generated code."""
    library = ("/site-packages/", "/dist-packages/", "\\site-packages\\", "/lib/python3", "\\lib\\", "/bin/", "/torch/")
    return not path.startswith("<") and not any(part in path for part in library)
