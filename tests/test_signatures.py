"""Every signature, by its own examples: they match, give their captures, and are claimed by exactly one failure."""

from pathlib import Path

import pytest

from firstfault import catalogue, fixes, matching

SIGNATURES = catalogue.builtin()


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_examples(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    if signature.patterns:
        assert signature.matches, "a signature with patterns needs at least one real text in [[matches]]"
        assert signature.ignores, "a signature with patterns needs the nearest innocent text in [[ignores]]"
    for example in signature.matches:
        found = [f for f in matching.match_text(example.log, SIGNATURES) if f.signature.id == identifier]
        assert found, f"does not match: {example.log!r}"
        captures = {name: value for f in found for name, value in f.captures.items()}
        assert {k: captures.get(k) for k in example.captures} == dict(example.captures)
        owner = matching.best(matching.match_text(example.log, SIGNATURES))
        assert owner is not None
        assert owner.signature.id == identifier, f"claimed by {owner.signature.id}: {example.log!r}"
    for innocent in signature.ignores:
        assert identifier not in {f.signature.id for f in matching.match_text(innocent.log, SIGNATURES)}, innocent.log


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_every_pattern_has_an_example(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    for pattern in signature.patterns:
        hits = [m for m in signature.matches if matching.search(pattern, m.log)]
        assert hits, f"no [[matches]] for {pattern.regex!r}"


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_links(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    assert set(signature.related) <= set(SIGNATURES), "related: unknown id"
    assert set(signature.refines) <= set(SIGNATURES), "refines: unknown id"
    assert set(signature.code_fixes) <= set(fixes.IDS), "code_fixes: unknown fix"
    assert all(r.startswith("https://") for r in signature.references)


def test_every_cause_that_the_engine_concludes_has_a_page() -> None:
    source = Path(matching.__file__).parent
    for module in source.rglob("attribution/*.py"):
        for line in module.read_text().splitlines():
            for word in line.split('"')[1::2]:
                area, _, slug = word.partition("/")
                if slug and area in {s.area for s in SIGNATURES.values()} and " " not in word and "." not in word:
                    assert word in SIGNATURES, f"{module.name}: {word}"
