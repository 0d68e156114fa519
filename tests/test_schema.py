"""The JSON Schema for editors."""

import json
import sys
from dataclasses import fields
from typing import Any

import pytest

from firstfault import catalogue, schema
from firstfault.signature import Signature

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = catalogue.builtin_folder()
SCHEMA = schema.schema()


def test_the_file_is_current() -> None:
    assert (FOLDER / schema.FILE).read_text(encoding="utf-8") == schema.text()
    assert json.loads(schema.text()) == SCHEMA


def test_every_key_is_described() -> None:
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Signature)} - {"id"}
    assert SCHEMA["required"] == ["title", "provenance", "meaning", "fix", "references"]


def faults(value: Any, rule: dict[str, Any], place: str) -> list[str]:
    """Check a value by the few words of JSON Schema that the file uses."""
    if "enum" in rule:
        return [] if value in rule["enum"] else [f"{place}: {value!r}"]
    kinds: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict}
    if not isinstance(value, kinds[rule["type"]]):
        return [f"{place}: not {rule['type']}"]
    if isinstance(value, list):
        return [fault for i, item in enumerate(value) for fault in faults(item, rule["items"], f"{place}[{i}]")]
    if not isinstance(value, dict):
        return []
    known, other = rule.get("properties", {}), rule["additionalProperties"]
    found = [f"{place}: lacks {name}" for name in rule.get("required", []) if name not in value]
    for name, item in value.items():
        inner = known.get(name, other)
        found += faults(item, inner, f"{place}.{name}") if inner else [f"{place}: unknown {name}"]
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.toml")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_signature_is_valid(path: Any) -> None:
    assert faults(tomllib.loads(path.read_text(encoding="utf-8")), SCHEMA, "file") == []


def test_mistakes_are_found() -> None:
    good = {"title": "t", "provenance": "run", "meaning": "m", "fix": ["f"], "references": []}
    assert faults(good, SCHEMA, "file") == []
    assert faults({**good, "titel": "t"}, SCHEMA, "file") == ["file: unknown titel"]
    assert faults({**good, "provenance": "hearsay"}, SCHEMA, "file") == ["file.provenance: 'hearsay'"]
    assert faults({**good, "patterns": [{"regex": "x"}]}, SCHEMA, "file") == ["file.patterns[0]: lacks role"]
