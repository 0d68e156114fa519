"""The JSON Schema of a signature file, made from the dataclasses; editors complete and check TOML by it.

`python -m firstfault.schema > signatures/schema.json` writes it; a test holds the file to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from firstfault.signature import Code, Ignore, Match, Pattern, Signal, Signature, Verify

FILE = "schema.json"
ABOUT: Mapping[type, Mapping[str, str]] = {
    Signature: {
        "title": "The failure in a few words; ends without a full stop.",
        "provenance": "run: produced here. source: read upstream. report: users say so. memory: possible at most.",
        "scope": "rank: a rank broke the run. job: no rank did. network: no rank did when every rank runs into it.",
        "shared": "Every rank hits it alike: same file, same code, same settings.",
        "generic": "It yields to any more specific signature on the same text.",
        "refines": "Ids of the signatures that this one beats on the same text.",
        "depends_on": "What of the machine that ran the job decides the fix.",
        "meaning": "One or two sentences for an engineer at 3 a.m.; {name} is a capture.",
        "mechanism": "How it comes about.",
        "observe": "What it looks like, on one GPU and on many.",
        "confirm": "How to make sure that it is this.",
        "fix": "Exact steps, the preferred one first; {name} is a capture.",
        "code_fixes": "Ids of edits that `firstfault fix` makes.",
        "prevention": "What keeps it from coming back.",
        "on_call": "What to do right now: restart, cordon, page? Is data lost?",
        "references": "https:// links to the page or issue about this very failure.",
        "related": "Ids of neighbours.",
        "versions": "Which versions print what.",
        "search": "Words by which people look for it.",
        "fix_for": "Framework -> steps, where they differ from the plain ones.",
        "code": "The user's code before and after the fix.",
        "verify": "The command that tells fixed from broken.",
        "patterns": "The texts that show it; none for a cause that is only concluded.",
        "signals": "Further texts of the log that speak for or against it.",
        "matches": "Real texts that must match.",
        "ignores": "The nearest innocent texts, which must not.",
    },
    Pattern: {
        "regex": "Python's re syntax, case-sensitive, with a literal text of four letters that every match contains.",
        "role": "initiator: this rank failed by itself. collateral: another did. either: order tells. context: a clue.",
        "about": "wait: it gave up waiting. lost: its connection broke. absent: another one never came.",
    },
    Signal: {
        "regex": "What to look for in the rest of the log.",
        "expected": "Whether it should be there.",
        "because": "What that says.",
    },
    Match: {"log": "A message without its launcher's prefix.", "captures": "What the named groups must give."},
    Ignore: {"log": "A message that looks alike.", "because": "Why it is innocent."},
    Verify: {
        "command": "A shell line that runs as it stands; {name} is a capture.",
        "expect_broken": "What it prints while the failure is there.",
        "expect_fixed": "What it prints when it is gone.",
    },
    Code: {"before": "The code that fails.", "after": "The code that works."},
}


def schema() -> dict[str, Any]:
    """Return the schema, in the draft that TOML editors read."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Firstfault signature",
        "description": "One failure of a training run; the file's path, <area>/<slug>.toml, is its id.",
        **_table(Signature),
    }


def text() -> str:
    """Return the schema as it is written to a file."""
    return json.dumps(schema(), indent=2) + "\n"


def _table(kind: type) -> dict[str, Any]:
    assert is_dataclass(kind)
    hints, about = get_type_hints(kind), ABOUT[kind]
    own = [field for field in fields(kind) if field.name != "id"]  # the id is the file's path
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [f.name for f in own if f.default is MISSING and f.default_factory is MISSING],
        "properties": {f.name: {"description": about[f.name], **_of(hints[f.name])} for f in own},
    }


def _of(hint: Any) -> dict[str, Any]:
    """Return the schema of one type that the dataclasses use."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in (str, bool):
        return {"type": "string" if hint is str else "boolean"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _of(arguments[0])}
    if origin in (Union, UnionType):  # an optional key is merely left out: TOML has no null
        return _of(next(a for a in arguments if a is not NoneType))
    if is_dataclass(hint) and isinstance(hint, type):
        return _table(hint)
    return {"type": "object", "additionalProperties": _of(arguments[1])}


if __name__ == "__main__":
    print(text(), end="")
