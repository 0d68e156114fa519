"""Findings of files -> text for a terminal, JSON, and SARIF 2.1.0 for code scanning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firstfault import __version__
from firstfault.lint import Finding

Found = Mapping[Path, Sequence[Finding]]


def text(found: Found) -> str:
    """Return a line per finding, as compilers print them."""
    lines = [
        f"{path}:{f.line}:{f.column + 1}: {f.rule}: {f.message}"
        + (f" [firstfault fix {f.fix} {path}:{f.line}]" if f.fix else "")
        for path, findings in found.items()
        for f in findings
    ]
    return "".join(line + "\n" for line in lines)


def as_json(found: Found) -> str:
    """Return a list of findings, each with its path."""
    rows = [{"path": str(path), **asdict(f)} for path, findings in found.items() for f in findings]
    return json.dumps(rows, indent=1) + "\n"


def sarif(found: Found) -> str:
    """Return one run of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), paths with slashes."""
    from firstfault.lint.rules import RULES  # noqa: PLC0415

    rules = [{"id": rule.id, "shortDescription": {"text": rule.title}} for rule in RULES]
    results = [_result(path, f) for path, findings in found.items() for f in findings]
    driver = {"name": "Firstfault", "version": __version__, "rules": rules}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=1) + "\n"


def _result(path: Path, finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column + 1}
    place = {"artifactLocation": {"uri": path.as_posix()}, "region": region}
    return {
        "ruleId": finding.rule,
        "level": "warning",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
