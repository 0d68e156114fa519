"""Sentences, whatever a log gives of their captures."""

import pytest

from firstfault import wording


@pytest.mark.parametrize(
    ("text", "captures", "written"),
    [
        ("Rank {rank} met {what}.", {"rank": "3", "what": "a hole"}, "Rank 3 met a hole."),
        ("Rank {rank} failed; rank {other}'s card is full.", {}, "A rank failed; a rank's card is full."),
        ("The GPU {gpu} is lost (pid {pid}).", {"gpu": "0"}, "The GPU 0 is lost."),
        ("The card ({hca}, port {port}) of host {host} failed.", {"port": "1"}, "The card of host … failed."),
        ("Set `{{}}` (see {page}).", {"page": "two"}, "Set `{}` (see two)."),
        ("It wants {size}.", {"size": ""}, "It wants …."),
    ],
)
def test_fill(text: str, captures: dict[str, str], written: str) -> None:
    assert wording.fill(text, captures) == written


def test_a_command_shows_what_is_to_be_put_in() -> None:
    assert wording.fill_command("getent hosts {host}", {}) == "getent hosts HOST"
    assert wording.fill_command("getent hosts {host}", {"host": "node-1"}) == "getent hosts node-1"


@pytest.mark.parametrize(
    ("ranks", "written"),
    [([3], "rank 3"), ([0, 1, 2, 5], "ranks 0-2 and 5"), ([1, 0], "ranks 0 and 1"), ([0, 2, 4], "ranks 0, 2 and 4")],
)
def test_listing(ranks: list[int], written: str) -> None:
    assert wording.listing(ranks) == written
