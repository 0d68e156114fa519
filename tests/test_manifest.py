"""What package.json promises to users is what README tells them and what the client does."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MANIFEST = json.loads((ROOT / "package.json").read_text())
CONTRIBUTES = MANIFEST["contributes"]
SETTINGS = CONTRIBUTES["configuration"]["properties"]
COMMANDS = {command["command"]: command["title"] for command in CONTRIBUTES["commands"]}
README = (ROOT / "README.md").read_text()
SOURCES = {path: path.read_text() for path in (ROOT / "extension" / "src").rglob("*.ts")}


def test_the_readme_lists_every_setting_with_its_values_and_default() -> None:
    rows = dict(re.findall(r"^\| `(firstfault\.\w+)` \| (.+) \|$", README, re.MULTILINE))
    assert set(rows) == set(SETTINGS)
    for name, setting in SETTINGS.items():
        values = setting.get("enum", [])
        assert [value for value in values if f"`{value}`" not in rows[name]] == []
        assert not values or f"**`{setting['default']}`**" in rows[name]


@pytest.mark.parametrize("name", SETTINGS)
def test_the_client_knows_every_setting_and_its_default(name: str) -> None:
    short, default = name.removeprefix("firstfault."), SETTINGS[name]["default"]
    assert f'setting("{short}", "{default}")' in SOURCES[ROOT / "extension" / "src" / "settings.ts"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_registered_once(command: str) -> None:
    assert sum(text.count(f'registerCommand("{command}"') for text in SOURCES.values()) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command_by_its_title(command: str) -> None:
    assert f"*{COMMANDS[command]}*" in README


def test_menus_speak_of_commands_that_exist() -> None:
    named = {entry["command"] for entries in CONTRIBUTES["menus"].values() for entry in entries}
    assert named <= set(COMMANDS)


def test_an_untrusted_workspace_sets_no_interpreter_and_nothing_is_measured() -> None:
    assert "firstfault.interpreter" in MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert SETTINGS["firstfault.interpreter"]["scope"] == "machine-overridable"
    assert MANIFEST["extensionKind"] == ["workspace"]
    assert not [path for path, text in SOURCES.items() if re.search(r"telemetry|fetch\(|https?\.request", text, re.I)]
