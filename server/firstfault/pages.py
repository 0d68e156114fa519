"""The page of a failure, as Markdown, and the search that finds it by its id, its words or a pasted message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter

from firstfault import matching
from firstfault.catalogue import Catalogue, merged
from firstfault.literals import required_literals
from firstfault.signature import Pattern, Signal, Signature

PROVENANCE = {
    "run": "produced and observed in a real run",
    "source": "read in the source code that prints it",
    "report": "reported by users",
    "memory": "not confirmed by a run or a source, so never more than possible",
}
FRAMEWORKS = {
    "pytorch": "Plain PyTorch",
    "lightning": "Lightning",
    "fabric": "Fabric",
    "hf": "Hugging Face Trainer",
    "accelerate": "Accelerate",
    "deepspeed": "DeepSpeed",
    "ray": "Ray",
    "megatron": "Megatron",
    "vllm": "vLLM",
}
MESSAGES_SHOWN = 5
CLOSE = 0.5  # of the longer text's length; then a key says more about a query than a pattern that matches it
STOP_WORDS = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "my", "of", "on", "or", "the", "to", "with"}
)


def page(signature: Signature) -> str:
    """Return everything that is known about a failure, as Markdown in a fixed order of headings."""
    parts = [f"# {signature.title}", f"{_code(signature.id)} – {PROVENANCE[signature.provenance]}."]
    for heading, blocks in _sections(signature):
        body = [block.strip("\n") for block in blocks if block.strip()]
        if body:
            parts += [f"## {heading}", *body]
    return "\n\n".join(parts) + "\n"


def _sections(signature: Signature) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each heading with its blocks; whoever prints them leaves out the empty ones."""
    yield "What it means", [_named(signature.meaning)]
    yield "Mechanism", [signature.mechanism]
    yield "What you will see", [signature.observe, _messages(signature)]
    yield "How to confirm", [signature.confirm, _signals(signature.signals)]
    yield "Fix", _fix(signature)
    yield "Verify", _verify(signature)
    yield "Prevention", [_bullets(signature.prevention)]
    yield "On call", [_named(signature.on_call)]
    yield "Alert on", [_fingerprints(signature.patterns)]
    yield "Related", [_bullets(_code(identifier) for identifier in signature.related)]
    yield "References", [_bullets(f"<{address}>" for address in signature.references)]
    yield "Versions", [signature.versions]


def _messages(signature: Signature) -> str:
    logs = list(dict.fromkeys(match.log.strip("\n") for match in signature.matches))[:MESSAGES_SHOWN]
    return _fenced("\n\n".join(logs), "text") if logs else ""


def _signals(signals: Iterable[Signal]) -> str:
    verb = {"present": "Speaks for it", "absent": "Speaks against it"}
    return _bullets(f"{verb[s.expected]} in the log: {_code(s.regex)} ({s.because})." for s in signals)


def _fix(signature: Signature) -> Iterator[str]:
    yield _numbered(map(_named, signature.fix))
    for framework, steps in _in_order(signature.fix_for):
        yield f"### {FRAMEWORKS.get(framework, framework)}"
        yield _bullets(map(_named, steps))
    if signature.code:
        yield "### Before"
        yield _fenced(signature.code.before, "python")
        yield "### After"
        yield _fenced(signature.code.after, "python")


def _in_order(fix_for: Mapping[str, tuple[str, ...]]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the frameworks in one order on every page, those without a name of their own last."""
    order = list(FRAMEWORKS)
    return sorted(fix_for.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order))


def _verify(signature: Signature) -> Iterator[str]:
    if signature.verify:
        yield _fenced(_named(signature.verify.command, code=True), "sh")
        yield _bullets(
            (
                f"Broken: {_named(signature.verify.expect_broken)}",
                f"Fixed: {_named(signature.verify.expect_fixed)}",
            )
        )


def _fingerprints(patterns: Iterable[Pattern]) -> str:
    return _bullets(
        f"Text {_texts(p.regex)}, regular expression {_code(p.regex)}" for p in patterns if p.role != "context"
    )


def _texts(regex: str) -> str:
    return " or ".join(_code(text.strip()) for text in required_literals(regex))


def _named(text: str, *, code: bool = False) -> str:
    """Show captures by their names: `*name*` in prose, `<name>` inside code; `{{` and `}}` are real braces."""
    written = ""
    for literal, name, _, _ in Formatter().parse(text):
        written += literal
        if name == "allocator":  # no log decides it here
            written += "PYTORCH_CUDA_ALLOC_CONF"
        elif name is not None:
            written += f"<{name}>" if code or written.count("`") % 2 else f"*{name}*"
    return written


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, _longest_ticks(text) + 1)
    return f"{fence}{language}\n" + text.strip("\n") + f"\n{fence}"


def _code(text: str) -> str:
    """Write a code span, whatever backticks and spaces at its ends the text has."""
    ticks = "`" * (_longest_ticks(text) + 1)
    pad = " " if text.startswith((" ", "`")) or text.endswith((" ", "`")) else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def search(query: str, catalogue: Catalogue) -> list[Signature]:
    """Return the failures that a query speaks of, the best first.

    An id stands alone. Then come titles and search keys that are close to the query, failures whose message the query
    holds, titles and keys that it merely touches, and failures that share most of its words.
    """
    identifier = query.strip().lower()
    exact = catalogue.get(merged().get(identifier, identifier))
    if exact:
        return [exact]
    shown = _shown(query, catalogue)
    ranked = [(_score(_plain(query), s, shown), s) for s in catalogue.values()]
    return [s for score, s in sorted(ranked, key=lambda pair: (*(-n for n in pair[0]), pair[1].id)) if score > (0, 0)]


def _shown(query: str, catalogue: Catalogue) -> list[str]:
    """Return the failures whose message the query holds, the owner of the text first."""
    found = matching.match_text(query, catalogue)
    best = matching.best(found)
    owner = best.signature.id if best else ""
    found.sort(key=lambda f: (f.signature.id != owner, f.pattern.role == "context", -len(f.pattern.regex)))
    return list(dict.fromkeys(f.signature.id for f in found))


def _score(query: str, signature: Signature, shown: Sequence[str]) -> tuple[int, float]:
    """Rate one failure: the step of the ladder that it reaches, and how well."""
    slug = signature.id.partition("/")[2].replace("-", " ")
    names = (slug, signature.title, *signature.search)
    closeness = max(_closeness(query, _plain(name)) for name in names)
    if closeness >= CLOSE:
        return 4, closeness
    if signature.id in shown:
        return 3, 1 / (1 + shown.index(signature.id))
    if closeness:
        return 2, closeness
    overlap = _overlap(query, names, signature)
    return (1, overlap) if overlap else (0, 0.0)


def _closeness(query: str, name: str) -> float:
    """Return how much of the longer text the shorter one is, where it is a whole part of it."""
    short, long = sorted((query, name), key=len)
    if not short or f" {short} " not in f" {long} ":
        return 0.0
    return len(short) / len(long)


def _overlap(query: str, names: Iterable[str], signature: Signature) -> float:
    """Return the share of the query's words that a failure uses: those of its names count fully, of its prose half."""
    wanted = set(query.split()) - STOP_WORDS
    named = set(_plain(" ".join((signature.id, *names))).split())
    told = set(_plain(" ".join((signature.meaning, signature.mechanism, *signature.fix))).split())
    if not wanted or 2 * len(wanted & (named | told)) < len(wanted):
        return 0.0
    return (len(wanted & named) + len(wanted & (told - named)) / 2) / len(wanted)


def _plain(text: str) -> str:
    """Return the words of a text in lower case, one space apart."""
    return " ".join(re.findall(r"[\w']+", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()))


def example_faults(signature: Signature) -> Iterator[str]:
    """Yield where a signature's own examples and patterns disagree, each as a sentence."""
    try:
        yield from _disagreements(signature)
    except TimeoutError:
        yield f"a pattern takes longer than {matching.TIMEOUT:g} s on an example; write it without nested repeats"


def _disagreements(signature: Signature) -> Iterator[str]:
    if signature.patterns and not signature.matches:
        yield "a signature with patterns needs at least one real text in [[matches]]"
    for pattern in signature.patterns:
        if signature.matches and not any(matching.search(pattern, m.log) is not None for m in signature.matches):
            yield f"no [[matches]] shows {pattern.regex!r}"
    for match in signature.matches:
        captures = _captures(signature, match.log)
        if captures is None:
            yield f"no pattern matches {match.log!r}"
            continue
        for name, value in match.captures.items():
            if captures.get(name) != value:
                yield f"{match.log!r} gives {name} = {captures.get(name)!r}, not {value!r}"
    for innocent in signature.ignores:
        if _captures(signature, innocent.log) is not None:
            yield f"matches the innocent text {innocent.log!r}"


def _captures(signature: Signature, text: str) -> dict[str, str] | None:
    """Return the captures of all patterns that match a text, or None when none does."""
    hits = [hit for p in signature.patterns if (hit := matching.search(p, text)) is not None]
    return {name: value for hit in hits for name, value in hit.items()} if hits else None
