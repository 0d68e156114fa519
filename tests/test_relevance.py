import sys
from pathlib import Path

import pytest

from firstfault import relevance

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).parent / "relevance"
COMMANDS = tomllib.loads((CASES / "commands.toml").read_text())


@pytest.mark.parametrize("command", COMMANDS["training"])
def test_a_training_command_is_known(command: str) -> None:
    assert relevance.starts_training(command, CASES / "folder")
    assert not relevance.bystander(command)


@pytest.mark.parametrize("command", COMMANDS["other"])
def test_other_commands_are_left_alone(command: str) -> None:
    assert not relevance.starts_training(command, CASES / "folder")


def test_a_command_line_is_split_as_a_shell_does() -> None:
    line = "A=1 B='x y' torchrun 'a b.py' && echo done; (cd x || exit) | tee log &"
    assert list(relevance.simple_commands(line)) == [
        ["torchrun", "a b.py"], ["echo", "done"], ["cd", "x"], ["exit"], ["tee", "log"]
    ]  # fmt: skip
