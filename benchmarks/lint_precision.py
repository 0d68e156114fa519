"""Print what `firstfault lint` finds in installed packages, with the line, for a person to judge.

Usage: python benchmarks/lint_precision.py FOLDER...   # e.g. site-packages/torch site-packages/lightning
"""

from __future__ import annotations

import collections
import sys
from pathlib import Path

from firstfault import lint
from firstfault.errors import FirstfaultError
from firstfault.lint.rules import RULES


def main(folders: list[str]) -> None:
    """Print a line per finding, and the counts at the end."""
    counts: collections.Counter[str] = collections.Counter()
    for path in (p for folder in folders for p in sorted(Path(folder).rglob("*.py"))):
        counts["files"] += 1
        source = path.read_text(encoding="utf-8", errors="replace")
        if not any(rule.may_apply(source) for rule in RULES):
            continue
        counts["files with a rule's words"] += 1
        try:
            found = lint.lint(source)
        except FirstfaultError:
            continue  # a template, or Python of another version
        for finding in found:
            counts[finding.rule] += 1
            print(f"{path}:{finding.line}: {finding.rule}: {source.splitlines()[finding.line - 1].strip()[:120]}")
    print(dict(counts))


if __name__ == "__main__":
    main(sys.argv[1:])
