"""Take launchers' prefixes off a line and keep what they say about who printed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from firstfault.formats import Format, Prefix, compiled
from firstfault.model import Source, Speaker

# e.g. behind a progress bar without newline: 0/18 [00:00<?, ?it/s][rank1]:[W1130 13:55:17.121097567 reducer.cpp:1529]
GLUED = re.compile(r"(?<=.)\[rank(\d+)\]: ?(?=\[[EWI]\d{4} |Traceback |  File |\w+(?:\.\w+)*(?:Error|Exception))")
STAMP = re.compile(
    r"^\[?(?:[EWIF](?P<glog>\d{4} \d\d:\d\d:\d\d\.\d+)|(?P<iso>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?))"
)
NAMED = re.compile(r"\(\?P<\w+>")
MOST = 0.6
COUNTED = 4
SAMPLE_LINES = 400


@dataclass(frozen=True, slots=True)
class Tagged:
    """A line without prefixes. `key` tells speakers apart even where no prefix names a rank."""

    speaker: Speaker
    text: str
    time: str | None
    key: tuple[object, ...]


class Tagger:
    """Reads the prefixes of one source; `seen` collects the names of formats whose prefixes occurred."""

    def __init__(self, source: Source, formats: Sequence[Format], sample: Sequence[str]) -> None:
        self._default = Speaker(source.rank, source.local_rank, source.node)
        self.seen: set[str] = set()
        self._prefixes = [
            (f, p, compiled(p.regex))
            for f in formats
            for p in f.prefixes
            if not (p.most_lines or p.counts) or _most(p, sample)
        ]
        self._any = re.compile("|".join(NAMED.sub("(?:", p.regex) for _, p, _ in self._prefixes))
        # what belongs to the page and not to a speaker does not tell speakers apart
        self._layout = {p.name for _, p, _ in self._prefixes if p.most_lines or p.counts}
        self._inner = [compiled(p.regex.replace("^", "", 1)) for _, p, _ in self._prefixes if p.anywhere]

    def tag(self, text: str) -> Iterator[Tagged]:
        """Yield the line's parts: one, or two when another rank's line is glued behind it."""
        tagged = self._strip(text)
        glued = GLUED.search(tagged.text) if "[rank" in tagged.text else None
        if glued is None:
            yield tagged
        else:
            yield replace(tagged, text=tagged.text[: glued.start()])
            yield self._strip(tagged.text[glued.start() :])

    def _strip(self, text: str) -> Tagged:
        speaker, time, names = self._default, None, []
        again = True
        while again and self._any.match(text):
            again = False
            for form, prefix, regex in self._prefixes:
                hit = regex.match(text) if prefix.name not in names else None
                if hit and hit.end():
                    groups = hit.groupdict()
                    speaker = _merge(speaker, groups)
                    time = time or groups.get("time")
                    text = text[hit.end() :]
                    names.append(prefix.name)
                    self.seen.add(form.name)
                    again = True
        if names and "]<" in text:
            for inner in self._inner:
                text = inner.sub("", text)
        return Tagged(speaker, text, time_of(text) or time, (speaker, *sorted(set(names) - self._layout)))


def _most(prefix: Prefix, sample: Sequence[str]) -> bool:
    """Tell whether most lines of a text have a prefix; numbers that grow line by line count lines and not ranks."""
    lines = [line for line in sample if line.strip()]
    hits = [hit for line in lines if (hit := compiled(prefix.regex).match(line))]
    if not lines or len(hits) < MOST * len(lines):
        return False
    numbers = [int(n) for hit in hits if (n := hit.groupdict().get("rank") or hit.groupdict().get("number"))]
    growing = len(numbers) > COUNTED and all(a < b for a, b in pairwise(numbers))
    return growing if prefix.counts else not growing


def _merge(speaker: Speaker, groups: dict[str, str | None]) -> Speaker:
    """Let the innermost prefix win, for PyTorch's own one is the global rank."""
    if not any(groups.get(name) for name in ("rank", "local_rank", "pid", "node")):
        return speaker
    return Speaker(
        _number(groups, "rank", speaker.rank),
        _number(groups, "local_rank", speaker.local_rank),
        groups.get("node") or speaker.node,
        _number(groups, "pid", speaker.pid),
    )


def _number(groups: dict[str, str | None], name: str, default: int | None) -> int | None:
    value = groups.get(name)
    return int(value) if value else default


def time_of(text: str) -> str | None:
    """Return the time at the start of a line in ISO 8601, as far as the text gives it (glog stamps have no year)."""
    hit = STAMP.match(text)
    if not hit:
        return None
    if glog := hit["glog"]:
        return f"{glog[:2]}-{glog[2:4]}T{glog[5:]}"
    return hit["iso"].replace(" ", "T").replace(",", ".")
