import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstfault import redaction
from firstfault.redaction import Redactor

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXTS = tomllib.loads((Path(__file__).parent / "redaction" / "hidden.toml").read_text())["texts"]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case["text"][:40])
def test_what_is_private_is_hidden_and_nothing_else(case: dict[str, str]) -> None:
    redactor = Redactor()
    assert redactor.hide(case["text"]) == case["shown"]
    for hidden in redactor.hidden():
        assert hidden.original in case["text"] and hidden.shown in case["shown"]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case["text"][:40])
def test_hiding_twice_changes_nothing_more(case: dict[str, str]) -> None:
    assert Redactor().hide(case["shown"]) == case["shown"]


def test_this_machines_user_and_home_are_known() -> None:
    redactor = Redactor(["jsmith"], ["/data/people/jsmith"])
    assert (
        redactor.hide("/data/people/jsmith/run.log by jsmith, not jsmith2")
        == "<home-1>/run.log by <user-1>, not jsmith2"
    )
    assert redaction.told(redactor.hidden()) == "1 home folder, 1 user name"


def test_json_values_are_hidden_and_keys_kept() -> None:
    value = {"token": ["10.0.0.1", {"path": "/home/anna/x"}], "n": 3}
    assert Redactor().value(value) == {"token": ["<ip-1>", {"path": "<home-1>/x"}], "n": 3}


@given(st.text(max_size=400))
def test_any_text_survives(text: str) -> None:
    redactor = Redactor()
    shown = redactor.hide(text)
    assert all(hidden.shown in shown for hidden in redactor.hidden() if hidden.kind != "token")
