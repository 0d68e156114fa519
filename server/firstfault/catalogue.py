"""Read `signatures/**/*.toml` into `Signature`s; a broken file is refused with a message that teaches."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import Formatter
from typing import Any

import regex

from firstfault import snapshot
from firstfault.errors import FirstfaultError
from firstfault.literals import required_literals
from firstfault.signature import Pattern, Signature

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PACKAGED = Path(__file__).parent / "signatures"
CHECKOUT = Path(__file__).parents[2] / "signatures"
BUILT_IN_NAMES = frozenset({"rank", "ranks", "collateral", "world_size", "allocator"})


@functools.cache
def compiled(pattern: str) -> regex.Pattern[str]:
    """Compile a signature's regex once; compiling all at start would cost more than most diagnoses."""
    return regex.compile(pattern)


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """A pattern of the catalogue with the texts, one of which must occur wherever it matches."""

    signature: Signature
    pattern: Pattern
    literals: tuple[str, ...]
    signal: int | None = None


class Catalogue(Mapping[str, Signature]):
    """All signatures by id, with the triggers of their patterns."""

    def __init__(self, signatures: Iterable[Signature], literals: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """Take signatures, and the literals of their regexes as far as they are known already."""
        self._by_id = {s.id: s for s in signatures}
        self._literals = literals or {}
        self.triggers = tuple(self._triggers())
        self.signals = tuple(self._signals())

    def _triggers(self) -> Iterator[Trigger]:
        for signature in self._by_id.values():
            for pattern in signature.patterns:
                yield Trigger(signature, pattern, self._required(pattern.regex))

    def _signals(self) -> Iterator[Trigger]:
        for signature in self._by_id.values():
            for index, signal in enumerate(signature.signals):
                pattern = Pattern(signal.regex, "context")
                yield Trigger(signature, pattern, self._required(signal.regex), index)

    def _required(self, text: str) -> tuple[str, ...]:
        known = self._literals.get(text)
        return required_literals(text) if known is None else known

    def literals(self) -> dict[str, tuple[str, ...]]:
        """Return the literals of every regex."""
        return {t.pattern.regex: t.literals for t in (*self.triggers, *self.signals)}

    def __getitem__(self, key: str) -> Signature:
        return self._by_id[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)


def identifier_of(path: Path, folder: Path) -> str:
    """Return the id that a file's path below the folder of signatures gives it."""
    return path.relative_to(folder).with_suffix("").as_posix()


def builtin_folder() -> Path:
    """Return the folder of the signatures that come with this program: in the wheel, or in a checkout."""
    return PACKAGED if PACKAGED.is_dir() else CHECKOUT


@functools.cache
def builtin() -> Catalogue:
    """Return the catalogue that comes with this program; its own tests have checked it."""
    folder = builtin_folder()
    texts = {path: path.read_bytes() for path in sorted(folder.rglob("*.toml"))}
    key = snapshot.key_of({identifier_of(path, folder): text for path, text in texts.items()})
    kept = snapshot.read(key)
    if kept is not None:
        return Catalogue(*kept)
    made = Catalogue(_parse(text, path, folder, check=False) for path, text in texts.items())
    snapshot.write(key, [_as_plain(s) for s in made.values()], made.literals())
    return made


@functools.cache
def merged() -> Mapping[str, str]:
    """Return the ids that have no page of their own, because another one's page answers them."""
    raw = json.loads((builtin_folder() / "merged.json").read_text(encoding="utf-8"))
    return {identifier: entry["into"] for identifier, entry in raw.items()}


def with_custom(folder: Path) -> Catalogue:
    """Return the built-in catalogue and a user's own signatures, whose ids must be new."""
    own = read_folder(folder)
    taken = sorted(s.id for s in own if s.id in builtin())
    if taken:
        raise FirstfaultError(f"{folder}: {', '.join(taken)} is built in already; give your signature another name")
    return Catalogue([*builtin().values(), *own])


def read_folder(folder: Path, *, check: bool = True) -> list[Signature]:
    """Read every signature below `folder`; raise `FirstfaultError` on the first broken one."""
    if not folder.is_dir():
        raise FirstfaultError(f"{folder}: no such folder of signatures")
    return [read_file(path, folder, check=check) for path in sorted(folder.rglob("*.toml"))]


def read_file(path: Path, folder: Path, *, check: bool = True) -> Signature:
    """Read one signature; its path below `folder` is its id."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise FirstfaultError(f"{path}: not readable: {error}") from error
    return _parse(text, path, folder, check=check)


def _parse(text: bytes, path: Path, folder: Path, *, check: bool) -> Signature:
    import cattrs  # noqa: PLC0415 - importing it costs more than reading a snapshot, which needs it not

    identifier = identifier_of(path, folder)
    try:
        raw = tomllib.loads(text.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FirstfaultError(f"{path}: not readable as TOML: {error}") from error
    if "id" in raw:
        raise FirstfaultError(f"{path}: the id is the file's path ({identifier}); remove the key 'id'")
    try:
        signature: Signature = replace(_converter().structure(raw, Signature), id=identifier)
    except cattrs.BaseValidationError as error:
        reasons = "; ".join(cattrs.transform_error(error, path="the file"))
        raise FirstfaultError(f"{path}: {reasons}") from error
    faults = list(faults_of(signature)) if check else []
    if faults:
        raise FirstfaultError(f"{path}: {'; '.join(faults)}")
    return signature


@functools.cache
def _converter() -> Any:
    import cattrs  # noqa: PLC0415

    return cattrs.Converter(forbid_extra_keys=True)


def _as_plain(signature: Signature) -> dict[str, Any]:
    plain: dict[str, Any] = _converter().unstructure(signature)
    return plain


def faults_of(signature: Signature) -> Iterator[str]:
    """Yield what is wrong with a signature taken by itself, each as a sentence that says what to do."""
    for address in signature.references:
        if not address.startswith("https://"):
            yield f"a reference is a link (https://...), not {address!r}"
    if not re.fullmatch(r"[a-z0-9-]+/[a-z0-9-]+", signature.id):
        yield f"the path must be <area>/<slug>.toml in lower-case words, not {signature.id}"
    names = set(BUILT_IN_NAMES)
    for regex_text in [p.regex for p in signature.patterns] + [s.regex for s in signature.signals]:
        try:
            names |= set(compiled_standard(regex_text).groupindex)
        except re.error as error:
            yield f"the regex {regex_text!r} does not compile: {error}"
            return
        if not required_literals(regex_text):
            yield f"the regex {regex_text!r} needs at least one literal text of four letters that every match contains"
    yield from _prose_faults(signature, names)


def compiled_standard(pattern: str) -> re.Pattern[str]:
    """Compile with the standard library, whose syntax every pattern must keep to."""
    return re.compile(pattern)


def _prose_faults(signature: Signature, names: set[str]) -> Iterator[str]:
    for text in prose(signature):
        try:
            used = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        except ValueError as error:
            yield f"braces in prose are captures; write {{{{ and }}}} for real ones ({error}): {text[:60]!r}"
            continue
        for name in sorted(used - names):
            yield f"the prose uses {{{name}}}, but no pattern has a group of that name"


def prose(signature: Signature) -> tuple[str, ...]:
    """Return every text of a signature in which captures are filled in."""
    verify = signature.verify
    return (
        signature.meaning,
        signature.on_call,
        *signature.fix,
        *(step for steps in signature.fix_for.values() for step in steps),
        *((verify.command, verify.expect_broken, verify.expect_fixed) if verify else ()),
    )
