"""Every signature, by its own examples: they match, give their captures, and are claimed by exactly one failure."""

import json
import re
from pathlib import Path

import pytest

from firstfault import attribution, catalogue, fixes, matching
from firstfault.errors import FirstfaultError
from firstfault.signature import Signature

FOLDER = catalogue.builtin_folder()
MERGED: dict[str, dict[str, str]] = json.loads((FOLDER / "merged.json").read_text(encoding="utf-8"))
FILES = {path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.rglob("*.toml"))}


def readable(path: Path) -> list[Signature]:
    """One broken file is test_file's matter and does not hide the others' faults."""
    try:
        return [catalogue.read_file(path, FOLDER)]
    except FirstfaultError:
        return []


SIGNATURES = catalogue.Catalogue(signature for path in FILES.values() for signature in readable(path))


@pytest.mark.parametrize("identifier", FILES)
def test_file(identifier: str) -> None:
    catalogue.read_file(FILES[identifier], FOLDER)


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_examples(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    if signature.patterns:
        assert signature.matches, "a signature with patterns needs at least one real text in [[matches]]"
        assert signature.ignores, "a signature with patterns needs the nearest innocent text in [[ignores]]"
    for example in signature.matches:
        found = matching.match_text(example.log, SIGNATURES)
        mine = [f for f in found if f.signature.id == identifier]
        assert mine, f"does not match: {example.log!r}"
        captures = {name: value for f in mine for name, value in f.captures.items()}
        assert {k: captures.get(k) for k in example.captures} == dict(example.captures)
        owner = matching.best(found)
        assert owner is not None
        assert owner.signature.id == identifier, f"claimed by {owner.signature.id}: {example.log!r}"
    for innocent in signature.ignores:
        assert identifier not in {f.signature.id for f in matching.match_text(innocent.log, SIGNATURES)}, innocent.log


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_every_pattern_has_an_example(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    for pattern in signature.patterns:
        hits = [m for m in signature.matches if matching.search(pattern, m.log) is not None]
        assert hits, f"no [[matches]] for {pattern.regex!r}"


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_links(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    assert set(signature.related) <= set(FILES), "related: unknown id"
    assert set(signature.refines) <= set(FILES), "refines: unknown id"
    assert set(signature.code_fixes) <= set(fixes.IDS), "code_fixes: unknown fix"
    assert signature.references, "a page without a reference"
    assert all(r.startswith("https://") for r in signature.references)


HOMES = re.compile(
    r"https://[^/]+(?:/(?:docs|en|latest|stable|main|index\.html)?)*/?$|https://github\.com/[^/#]+(?:/[^/#]+)?/?$"
)


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_references_are_specific(identifier: str) -> None:
    assert not [r for r in SIGNATURES[identifier].references if HOMES.match(r)], "a home page is no reference"


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_three_depths_and_a_way_to_be_sure(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    assert signature.title
    assert not signature.title.endswith("."), "a title stands inside the summary's sentence"
    assert signature.meaning and signature.mechanism and signature.observe and signature.fix, "the engineer's page"
    assert signature.on_call, "what to do now"
    assert signature.confirm, "how to be sure, also where no command verifies"
    assert not re.search(r"\btry (?:to|setting|using)\b", " ".join(signature.fix)), "steps are exact"


@pytest.mark.parametrize("identifier", MERGED)
def test_merged_records_are_answered_by_another(identifier: str) -> None:
    merged = MERGED[identifier]
    assert identifier not in FILES
    assert merged["into"] in FILES
    assert merged["because"]


def test_every_cause_that_the_engine_concludes_has_a_page() -> None:
    areas = "|".join({identifier.partition("/")[0] for identifier in FILES})
    named = re.compile(rf'"((?:{areas})/[a-z0-9-]+)"')
    source = "".join(path.read_text() for path in Path(attribution.__file__).parent.glob("*.py"))
    concluded = set(named.findall(source))
    assert concluded
    assert concluded <= set(FILES)
