"""Compare a fact base of failures with the signatures: what has no page, and whose text no pattern knows.

    PYTHON benchmarks/coverage.py FOLDER      # FOLDER/<area>.yaml, lists of records, and CAUSES.md; PYTHON has PyYAML

A record's templates are filled with plausible values, so a text in the last list is a lead and no proof.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firstfault import catalogue, matching

VALUES = ("1", "gpu-1", "0, 1", "10.0.0.1", "1.50 GiB", "torch.Size([2, 3])", "'a'", "1.5", "/ckpt/a.so")
TYPES = ("", "RuntimeError: ", "ValueError: ", "ImportError: ")


def main(folder: Path) -> int:
    """Print the comparison and return how many records and causes have neither a page nor a merge."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415 - not among the locked packages

    records = {r["id"]: r for path in sorted(folder.glob("*.yaml")) for r in yaml.safe_load(path.read_text())}
    causes = re.findall(r"^\| `([a-z0-9/-]+)`", (folder / "CAUSES.md").read_text(), re.MULTILINE)
    known = catalogue.builtin()
    merged = json.loads((catalogue.builtin_folder() / "merged.json").read_text())
    missing = [i for i in (*records, *causes) if i not in known and i not in merged]
    print(f"{len(records)} records, {len(causes)} further causes, {len(known)} signatures")
    print(f"provenance: {dict(Counter(s.provenance for s in known.values()))}")
    print(f"concluded, without a text of their own: {sum(not s.patterns for s in known.values())}")
    joined = [f"{identifier} into {entry['into']}" for identifier, entry in merged.items()]
    print(f"merged: {', '.join(joined) or 'none'}")
    print(f"without a page: {', '.join(missing) or 'none'}")
    print(f"beyond the fact base: {', '.join(i for i in known if i not in records and i not in causes) or 'none'}")
    for identifier, template in sorted(_unknown(records)):
        print(f"no pattern of its own: {identifier}: {template[:150]}")
    return len(missing)


def _unknown(records: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for identifier, record in records.items():
        for template in record["message_templates"]:
            if not template.startswith("(no text") and not _matches(template, identifier):
                yield identifier, template


def _matches(template: str, identifier: str) -> bool:
    texts = [kind + re.sub(r"\{[^{}]*\}", value, template) for value in VALUES for kind in TYPES]
    found = {f.signature.id for text in texts for f in matching.match_text(text, catalogue.builtin())}
    return identifier in found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
