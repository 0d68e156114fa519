"""The literals that a pattern requires: known answers, and a property over the whole catalogue."""

import pytest

from firstfault import catalogue, patterns
from firstfault.literals import required_literals

SIGNATURES = catalogue.builtin()


@pytest.mark.parametrize(
    ("regex", "literals"),
    [
        (r"Timed out waiting (\d+)ms for (send|recv) operation", ("Timed out waiting ",)),
        (r"(?:Killed|Terminated) by", ("Killed", "Terminated")),
        (r"(?:Killed|\d+) by nobody", (" by nobody",)),
        (r"a?bcd+", ()),
        (r"(?:hello )+world", ("hello ",)),
        (r"x*y?", ()),
        (r"(?i)Timed out", ()),
        (r"(?P<name>constant) \d", ("constant",)),
    ],
)
def test_known(regex: str, literals: tuple[str, ...]) -> None:
    assert required_literals(regex) == literals


@pytest.mark.parametrize("identifier", SIGNATURES)
def test_every_example_holds_a_literal(identifier: str) -> None:
    signature = SIGNATURES[identifier]
    for trigger in SIGNATURES.triggers:
        if trigger.signature is signature:
            for example in signature.matches:
                if patterns.search(trigger.pattern.regex, example.log):
                    assert any(literal in example.log for literal in trigger.literals), trigger.pattern.regex


def test_alternatives_keep_what_they_begin_with_alike() -> None:
    assert required_literals(r"\b(?:loss=nan|loss=NaN|loss: nan)\b") == ("loss=nan", "loss=NaN", "loss: nan")
